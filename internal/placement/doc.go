// SPDX-License-Identifier: MPL-2.0

// Package placement decides which brokers hold the replicas of a topic. It is pure: what comes out depends on the
// arguments only, not on the order of brokers, not on time, and no argument is modified.
//
// # Functions
//
// [Change] leads from a layout to one that satisfies a [Target] with the fewest copies. [Spread] is the same from
// nothing. [Rebalance] makes an existing layout even. [ReplaceBroker] puts one broker in the place of another.
// [Satisfied] says whether Change would leave a layout alone. [Check] lists what is wrong with a layout, [CostOf] what
// it takes to get from one to another.
//
// # How Change works
//
// Keep: each partition keeps all replicas that may stay. Only replicas on brokers that are not allowed, duplicates,
// those above the wanted count and, with [RacksSpread], those in the way of another rack become slots to be placed
// anew. A partition that has no slot is not touched.
//
// Fill: each slot goes to the rack with the fewest replicas of its partition, there to the least loaded broker. Load is
// the number of replicas of this topic.
//
// Even: as long as a chain of slots (one from broker A to B, another from B to C, …) takes load from a broker to one
// that has at least two less, the chain is moved. This is the cycle cancelling of a minimum cost flow whose cost is the
// sum of the squared loads.
//
// Settle: among the equally even layouts the first one by rank is taken, partition by partition. Rank is a hash of
// topic, partition and broker. So the result is a property of the set of best layouts, not of the way to it.
//
// Leaders: a first replica that stays remains first. Where a partition needs another one, fill, even and settle run
// once more, for leaders instead of replicas; a fenced broker leads only if there is no other. A new replica takes the place of the one it replaces, or the end.
//
// # What is guaranteed
//
//   - Never two replicas of a partition on one broker; count, allowed brokers and, with RacksSpread, min(replicas,
//     racks) racks hold, or the call fails and says why.
//   - No layout that satisfies the target needs fewer copies, given that a first replica that may stay does stay. A
//     satisfied partition is returned as it is, and Change of its own result is that result.
//   - What is placed uses as many racks as what stays permits, and replicas per rack are as even as the racks' sizes
//     permit: four replicas over two racks are two and two.
//   - Among the layouts with the fewest copies none is more even over brokers (sum of squares); with RacksSpread this
//     holds given which replicas stay. From nothing, over racks of one size, replicas and leaders per broker are within
//     one of each other. Racks of different size come first: the only broker of a rack then holds more.
//   - A half-moved layout has the same target: if any of the partitions have arrived, or new partitions exist with
//     the first replicas of their target, or with all of them and more (Change of the target to a larger replication
//     factor), the same call gives the same layout. The target must be written the same, brokers and racks included.
//     It rests on every chain found being movable; two links through one partition can exclude each other, then the
//     next best broker is taken, and another target would be possible where this hits one of the two calls only. The
//     tests have not found a layout where it does.
//   - Topics whose names differ in numbers only (orders-1, orders-2, …) take turns over the brokers, so that many small
//     topics placed one by one differ by little. Names without numbers are spread like dice: with n topics per broker
//     expect the counts to scatter by the square root of n.
//
// Rebalance reaches the most even layout too. It moves no more than the surplus of overloaded brokers where a direct
// move is possible, otherwise short chains; it does not search for the least number of moves.
//
// # Racks
//
// Brokers without a rack count as one rack of their own, as do brokers that only the layout names. If no broker has a
// rack there is one rack, which is no constraint.
//
// # Complexity
//
// For P partitions with slots, R replicas each, and B brokers: the links between brokers are counted in P·R·B steps and
// kept in B² memory; each slot settles in about B²/64 + B·R steps. Partitions without slots cost R each.
package placement
