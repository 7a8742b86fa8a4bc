"""An L-shaped plate of four boxes, dealt to the ranks, with edges that are kept at 1: mpirun -n 4 python blocks.py"""
import wherry as wh

boxes = [wh.Box((0, 0), (20, 12)), wh.Box((20, 0), (32, 12)), wh.Box((0, 12), (14, 30)), wh.Box((14, 12), (20, 30))]
c = wh.communicator()
plan = wh.FloorPlan(boxes, [number % c.size for number in range(4)])
u = plan.zeros(halo=1)
for number in plan.mine:
    u.arrays[number][...] = 1  # with the halo, a part of which is the edge of the plate
    u[number] = 0
fill = u.ghosts()
for step in range(200):
    fill()
    for number in plan.mine:
        a = u.arrays[number]
        u[number] = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / 4

heat = wh.allreduce(sum((u[number].sum() for number in plan.mine), 0.0))
if c.rank == 0:
    print(f"blocks: mean temperature after 200 steps: {heat / (32 * 12 + 20 * 18):.6f}")
