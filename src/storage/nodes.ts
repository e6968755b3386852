/** Processes that share a database: only one engine has them. */
export { openNode, usualTimes, type ClusterNode, type NodeTimes } from './postgres/open-node'
export type { FenceCause } from './postgres/exchange'
export { DutyLost, type DutyClaim } from './postgres/duty-claims'
export { readOtherFormat } from './postgres/migrate'
export { namesOf } from './postgres/older-nodes'
export { clockLead, readNodes, type NodeRow } from './postgres/nodes'
export type { ServiceCaps } from './postgres/reached-caps'
export type { Replayed } from './postgres/replay-spools'
