! Error numbers, operations, types and the configuration.
module gaspi_constants
  use, intrinsic :: iso_c_binding
  use gaspi_types
  implicit none

  integer(gaspi_timeout_t), parameter :: GASPI_BLOCK = -1
  integer(gaspi_timeout_t), parameter :: GASPI_TEST = 0

  enum, bind(c)  ! gaspi_return_t
    enumerator :: GASPI_ERROR = -1
    enumerator :: GASPI_SUCCESS = 0
    enumerator :: GASPI_TIMEOUT = 1
    enumerator :: GASPI_ERR_EMFILE = 2
    enumerator :: GASPI_ERR_ENV = 3
    enumerator :: GASPI_ERR_SN_PORT = 4
    enumerator :: GASPI_ERR_CONFIG = 5
    enumerator :: GASPI_ERR_NOINIT = 6
    enumerator :: GASPI_ERR_INITED = 7
    enumerator :: GASPI_ERR_NULLPTR = 8
    enumerator :: GASPI_ERR_INV_SEGSIZE = 9
    enumerator :: GASPI_ERR_INV_SEG = 10
    enumerator :: GASPI_ERR_INV_GROUP = 11
    enumerator :: GASPI_ERR_INV_RANK = 12
    enumerator :: GASPI_ERR_INV_QUEUE = 13
    enumerator :: GASPI_ERR_INV_LOC_OFF = 14
    enumerator :: GASPI_ERR_INV_REM_OFF = 15
    enumerator :: GASPI_ERR_INV_COMMSIZE = 16
    enumerator :: GASPI_ERR_INV_NOTIF_VAL = 17
    enumerator :: GASPI_ERR_INV_NOTIF_ID = 18
    enumerator :: GASPI_ERR_INV_NUM = 19
    enumerator :: GASPI_ERR_INV_SIZE = 20
    enumerator :: GASPI_ERR_MANY_SEG = 21
    enumerator :: GASPI_ERR_MANY_GRP = 22
    enumerator :: GASPI_QUEUE_FULL = 23
    enumerator :: GASPI_ERR_UNALIGN_OFF = 24
    enumerator :: GASPI_ERR_ACTIVE_COLL = 25
    enumerator :: GASPI_ERR_DEVICE = 26
    enumerator :: GASPI_ERR_SN = 27
    enumerator :: GASPI_ERR_MEMALLOC = 28
  end enum

  enum, bind(c)  ! gaspi_operation_t
    enumerator :: GASPI_OP_MIN = 0
    enumerator :: GASPI_OP_MAX = 1
    enumerator :: GASPI_OP_SUM = 2
  end enum

  enum, bind(c)  ! gaspi_datatype_t
    enumerator :: GASPI_TYPE_INT = 0
    enumerator :: GASPI_TYPE_UINT = 1
    enumerator :: GASPI_TYPE_FLOAT = 2
    enumerator :: GASPI_TYPE_DOUBLE = 3
    enumerator :: GASPI_TYPE_LONG = 4
    enumerator :: GASPI_TYPE_ULONG = 5
  end enum

  enum, bind(c)  ! gaspi_network_t
    enumerator :: GASPI_IB = 0
    enumerator :: GASPI_ROCE = 1
    enumerator :: GASPI_ETHERNET = 2
    enumerator :: GASPI_GEMINI = 3
    enumerator :: GASPI_ARIES = 4
    enumerator :: GASPI_OFI = 5
  end enum

  enum, bind(c)  ! gaspi_alloc_t
    enumerator :: GASPI_MEM_UNINITIALIZED = 0
    enumerator :: GASPI_MEM_INITIALIZED = 1
    enumerator :: GASPI_ALLOC_DEFAULT = 0
  end enum

  enum, bind(c)  ! gaspi_state_t
    enumerator :: GASPI_STATE_HEALTHY = 0
    enumerator :: GASPI_STATE_CORRUPT = 1
  end enum

  enum, bind(c)  ! gaspi_statistic_argument_t
    enumerator :: GASPI_STATISTIC_ARGUMENT_NONE = 0
    enumerator :: GASPI_STATISTIC_ARGUMENT_RANK = 1
  end enum

  enum, bind(c)  ! gaspi_topology_t
    enumerator :: GASPI_TOPOLOGY_NONE = 0
    enumerator :: GASPI_TOPOLOGY_STATIC = 1
    enumerator :: GASPI_TOPOLOGY_DYNAMIC = 2
  end enum

  type, bind(c) :: ib_dev_params_t
    integer(gaspi_int) :: netdev_id
    integer(gaspi_int) :: mtu
    integer(gaspi_int) :: port_check
  end type

  type, bind(c) :: tcp_dev_params_t
    integer(gaspi_int) :: tcp_port
  end type

  type, bind(c) :: ofi_dev_params_t
    integer(gaspi_int) :: use_shm
    integer(gaspi_int) :: provider_info
    integer(gaspi_int) :: progress_auto
  end type

  type, bind(c) :: gaspi_dev_config_t
    integer(gaspi_int) :: network
    type(ib_dev_params_t) :: params_ib
    type(tcp_dev_params_t) :: params_tcp
    type(ofi_dev_params_t) :: params_ofi
  end type

  type, bind(c) :: gaspi_config_t
    integer(gaspi_int) :: logger
    integer(gaspi_int) :: sn_port
    integer(gaspi_int) :: net_info
    integer(gaspi_int) :: user_net
    integer(gaspi_int) :: sn_persistent
    integer(c_int64_t) :: sn_timeout
    type(gaspi_dev_config_t) :: dev_config
    integer(gaspi_int) :: network
    integer(gaspi_int) :: queue_size_max
    integer(gaspi_int) :: queue_num
    integer(gaspi_number_t) :: group_max
    integer(gaspi_number_t) :: segment_max
    integer(gaspi_size_t) :: transfer_size_max
    integer(gaspi_number_t) :: notification_num
    integer(gaspi_number_t) :: passive_queue_size_max
    integer(gaspi_number_t) :: passive_transfer_size_max
    integer(gaspi_size_t) :: allreduce_buf_size
    integer(gaspi_number_t) :: allreduce_elem_max
    integer(gaspi_number_t) :: rw_list_elem_max
    integer(gaspi_int) :: build_infrastructure
    type(c_ptr) :: user_defined
  end type
end module
