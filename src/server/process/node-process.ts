import type { NodeOrder, NodeReport, SharedPorts } from '../cluster/node-messages'
import { Replies } from '../cluster/replies'
import type { FirstLink } from '../setup-link'
import type { Leaving } from '../listeners/server-contract'

export type { SharedPorts }

/** Server that a supervisor ends. */
interface Ending {
  stop(): Promise<void>
  leave(how: Leaving): Promise<void>
  /** As of `Server`. */
  spread(): void
}

/** The supervisor of a node process, over the channel that began with the process. */
export interface SupervisorLink {
  readonly ports: SharedPorts
  /** Makes a link for the first operator when the supervisor asks. */
  answerLink(make: FirstLink | null): void
  report(report: NodeReport): void
  /** Metrics of all nodes of this machine. @param own of this one */
  gather(own: string): Promise<string>
  /** Answers requests for the metrics of this node. */
  showMetrics(process: () => string, text: () => string): void
  /** Follows orders, and drains when the supervisor is gone. */
  obey(server: Ending): void
}

/** The channel to the parent process. */
interface Channel {
  send(message: NodeReport): void
  onMessage(hear: (order: NodeOrder) => void): void
  /** The other end is gone. */
  onClosed(closed: () => void): void
}

/** A node cannot serve, and its supervisor says why. */
export class ReportedUnfit extends Error {
  override readonly name = 'ReportedUnfit'
}

/** How long the metrics of the others are waited for; then this node shows its own. */
const gatherMs = 2500

/** Opens the node's end of the link to its supervisor. */
export function openSupervisorLink(channel: Channel, ports: SharedPorts): SupervisorLink {
  const gathered = new Replies<string>()
  let metrics: { process(): string; text(): string } | null = null
  let server: Ending | null = null
  let makeLink: FirstLink | null = null
  let isAlone = false
  const report = (message: NodeReport): void => {
    if (!isAlone) channel.send(message)
  }
  const answerLink = async (no: number): Promise<void> => {
    const link = await (makeLink?.() ?? Promise.resolve(null)).catch(() => null)
    report({ kind: 'link', no, link })
  }
  channel.onMessage((order) => {
    if (order.kind === 'leave')
      void server?.leave({ place: order.place, closed: () => report({ kind: 'closed' }) })
    else if (order.kind === 'spread') server?.spread()
    else if (order.kind === 'gathered') gathered.answer(order.no, order.text)
    else if (order.kind === 'link') void answerLink(order.no)
    else if (metrics !== null)
      report({
        kind: 'metrics',
        no: order.no,
        process: metrics.process(),
        text: metrics.text(),
      })
  })
  channel.onClosed(() => {
    isAlone = true
    void server?.stop()
  })
  return {
    ports,
    report,
    answerLink: (make) => void (makeLink = make),
    gather: (own) =>
      gathered.ask((no) => report({ kind: 'gather', no }), { ms: gatherMs, answer: own }),
    showMetrics(process, text) {
      metrics = { process, text }
    },
    obey(running) {
      server = running
      if (isAlone) void running.stop()
    },
  }
}

/** The channel of this process to the one that began it. */
export const parentChannel = (): Channel => ({
  send: (message) => void process.send?.(message),
  onMessage: (hear) => void process.on('message', hear),
  onClosed: (closed) => void process.on('disconnect', closed),
})
