import { sumMetrics } from '../processes/metric-sum'
import type { ProcessBus } from '../processes/bus'
import { peerTopics } from './peers'

/** Metrics of all processes as of one. @param name of this process @returns text, given that of this one */
export const gatherMetrics =
  (name: string, bus: ProcessBus) =>
  async (own: string): Promise<string> =>
    sumMetrics([{ process: name, text: own }, ...(await bus.others(peerTopics.metrics, null))])
