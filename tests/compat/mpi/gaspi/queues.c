/* Queues: how many, created and deleted, their sizes, purged; and the configuration's limits. */
#include "gaspi_support.h"

int main(void) {
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  config.queue_num = 3;
  config.queue_size_max = 50;
  config.network = GASPI_IB; /* a program for another network runs as well */
  config.build_infrastructure = GASPI_TOPOLOGY_DYNAMIC;
  OK(gaspi_config_set(config));
  start();
  gaspi_number_t number, most, size;
  gaspi_queue_id_t queue = 99;
  OK(gaspi_queue_num(&number));
  OK(gaspi_queue_max(&most));
  OK(gaspi_queue_size_max(&size));
  REQUIRE(number == 3 && most == 16 && size == 50);
  gaspi_network_t network;
  OK(gaspi_network_type(&network));
  REQUIRE(network == GASPI_IB);
  OK(gaspi_build_infrastructure(&number));
  REQUIRE(number == GASPI_TOPOLOGY_DYNAMIC);

  const gaspi_rank_t next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  OK(gaspi_connect(next, GASPI_BLOCK));
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_queue_create(&queue, GASPI_BLOCK));
  REQUIRE(queue == 3);
  for (int i = 0; i < 50; ++i)
    OK(gaspi_write(0, (gaspi_offset_t)i * 8, next, 0, 2048 + (gaspi_offset_t)i * 8, 8, queue, GASPI_BLOCK));
  OK(gaspi_queue_size(queue, &size));
  REQUIRE(size == 50);
  GIVES(GASPI_QUEUE_FULL, gaspi_write(0, 0, next, 0, 0, 8, queue, GASPI_BLOCK));
  OK(gaspi_write(0, 0, next, 0, 2048, 8, 1, GASPI_BLOCK)); /* another one has room */
  OK(gaspi_queue_delete(queue));                           /* waits for it */
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_wait(queue, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_write(0, 0, next, 0, 0, 8, queue, GASPI_BLOCK));
  OK(gaspi_queue_num(&number));
  REQUIRE(number == 3);
  OK(gaspi_queue_create(&queue, GASPI_BLOCK));
  REQUIRE(queue == 3);
  OK(gaspi_queue_size(queue, &size));
  REQUIRE(size == 0);

  OK(gaspi_write(0, 0, next, 0, 2048, 8, 2, GASPI_BLOCK));
  OK(gaspi_queue_purge(2, GASPI_BLOCK));
  OK(gaspi_queue_size(2, &size));
  REQUIRE(size == 0);
  OK(gaspi_wait(1, GASPI_BLOCK));
  OK(gaspi_disconnect(next, GASPI_BLOCK));

  gaspi_size_t bytes;
  gaspi_number_t elements;
  OK(gaspi_transfer_size_min(&bytes));
  REQUIRE(bytes == 0);
  OK(gaspi_transfer_size_max(&bytes));
  REQUIRE(bytes == config.transfer_size_max);
  OK(gaspi_notification_num(&elements));
  REQUIRE(elements == config.notification_num);
  OK(gaspi_passive_transfer_size_min(&bytes));
  REQUIRE(bytes == 1);
  OK(gaspi_passive_transfer_size_max(&bytes));
  REQUIRE(bytes == config.passive_transfer_size_max);
  OK(gaspi_allreduce_buf_size(&bytes));
  REQUIRE(bytes == config.allreduce_buf_size);
  OK(gaspi_allreduce_elem_max(&elements));
  REQUIRE(elements == config.allreduce_elem_max);
  finish("queues");
  return 0;
}
