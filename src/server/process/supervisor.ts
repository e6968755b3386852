import { sumMetrics, type ProcessMetrics } from '../cluster/metric-sum'
import type { NodeOrder, NodeReport, SharedPorts } from '../cluster/node-messages'
import { ListenerOrder } from '../cluster/listener-order'
import { Replies } from '../cluster/replies'
import { supervise, type EndedProcess, type SupervisedProcesses } from '../cluster/supervise'
import { faultFields, type Log } from '../../gateway/observability/log'
import type { MetricsConfig } from '../../gateway/observability/metrics-door'
import type { Config } from '../config'
import { takeFolder } from '../../business/data/open'
import { portsOfNodes } from '../listeners/ports'
import type { RunNotes, RunningServer } from './run-contract'
import type { ServerOptions } from '../listeners/server-contract'
import { openMetricsListener } from '../telemetry'

/** Node processes of one machine, which share a database and a port. */
export interface NodesPlan {
  readonly count: number
  /** The program of a node, with its arguments. */
  readonly command: readonly string[]
  environment(ports: SharedPorts): Readonly<Record<string, string | undefined>>
  /** Why the program on the disk cannot replace this one; null where it can. */
  faultOfNext(): Promise<string | null>
}

interface SupervisorParts {
  readonly config: Config
  readonly log: Log
  /** Secret and spools of all nodes of this machine. */
  readonly folder: string
  readonly address: ServerOptions
  readonly notes: RunNotes
}

/** A supervisor, and its nodes. */
export interface RunningNodes extends RunningServer {
  /** Kills all nodes, whatever they do. */
  abort(): void
  /**
   * Replaces the nodes one by one by the program on the disk: each ends once the next one serves and its own calls
   * are over. Does nothing where that program does not start.
   */
  replace(): Promise<void>
}

/** Beyond the time that running calls have. */
const marginMs = 5500
const metricsMs = 2000
/** A node that leaves lingers at its port for less; one that died meanwhile says nothing. */
const closeMs = 10_000
const closeLookMs = 500
/** The database that keeps a link may be slow. */
const linkMs = 30_000

/**
 * Runs so many nodes on one port. The supervisor answers no client: it replaces a node that ends, forwards signals,
 * and shows the metrics of all.
 * @throws DataFolderBusy | Error when a node cannot serve at the start
 */
export async function openSupervisor(
  parts: SupervisorParts,
  plan: NodesPlan,
): Promise<RunningNodes> {
  const unlock = takeFolder(parts.folder)
  let nodes: ServingNodes | null = null
  try {
    const ports = await portsOfNodes(parts)
    nodes = new ServingNodes(parts, plan, ports)
    await nodes.atLeast(plan.count)
    const running = await nodes.running()
    void running.stopped.then(unlock)
    return running
  } catch (thrown) {
    nodes?.kill()
    await nodes?.stop()
    unlock()
    throw thrown
  }
}

type ServingReport = Extract<NodeReport, { kind: 'serving' }>

class ServingNodes {
  readonly #serving = new Map<number, ServingReport>()
  readonly #listening = new ListenerOrder()
  readonly #processes: SupervisedProcesses
  readonly #gathered = new Replies<ProcessMetrics | null>()
  readonly #links = new Replies<string | null>()
  #unfit: Error | null = null
  #isStarted = false
  #isStopping = false
  #replacing: Promise<void> | null = null
  #changed = Promise.withResolvers<void>()
  readonly #parts: SupervisorParts
  readonly #plan: NodesPlan
  readonly #ports: SharedPorts

  constructor(parts: SupervisorParts, plan: NodesPlan, ports: SharedPorts) {
    this.#parts = parts
    this.#plan = plan
    this.#ports = ports
    const { config, log } = parts
    this.#processes = supervise({
      count: plan.count,
      command: plan.command,
      environment: () => plan.environment(ports),
      drainMs: config.drainDelayMs + config.drainMs + marginMs,
      now: () => performance.now(),
      onMessage: (pid, message) => this.#hear(pid, message as NodeReport),
      onEnded: (ended) => {
        log.warn('node process ended', { ...ended })
        this.#listening.remove(ended.pid)
        const hasServed = this.#serving.delete(ended.pid)
        if (!this.#isStarted && !hasServed) this.#refuse(endedAtStart(ended))
      },
      onFault: (fault) => log.error('node process not started', faultFields(fault)),
    })
  }

  /** Resolves when so many serve, or all stop. @throws Error when one cannot */
  async atLeast(count: number): Promise<void> {
    while (this.#serving.size < count && !this.#isStopping) {
      if (this.#unfit !== null) throw this.#unfit
      await this.#changed.promise
    }
  }

  async running(): Promise<RunningNodes> {
    const { config, log, notes } = this.#parts
    const { count } = this.#plan
    this.#isStarted = true
    const reports = [...this.#serving.values()]
    const [any] = reports
    if (any === undefined) throw new Error('no node serves')
    const metrics = openMetricsListener(metricsAt(config.metrics), log, () => this.metrics())
    const operatorLink = any.hasLink ? () => this.#link() : null
    const { url, operatorUrl, vendors, models } = any
    const server = { url, port: this.#ports.port }
    const shown = { server, operatorUrl, key: null, metricsUrl: metrics?.url ?? null }
    notes.serving({ ...shown, processes: count })
    log.info('supervising', { url, nodes: count, pid: process.pid })
    const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
    let stopping: Promise<void> | null = null
    const end = async () => {
      notes.stopping()
      this.#isStopping = true
      this.#tellChanged()
      await this.#replacing
      await this.stop()
      await metrics?.close()
      notes.stopped()
      log.info('stopped')
      log.flush()
      ended()
    }
    const stop = () => (stopping ??= end())
    return {
      url,
      key: null,
      operatorLink,
      vendors,
      models,
      stopped,
      stop,
      leave: stop,
      spread() {},
      abort: () => this.kill(),
      replace: async () => {
        if (stopping === null) await (this.#replacing ??= this.#replace())
        this.#replacing = null
      },
    }
  }

  stop(): Promise<void> {
    return this.#processes.stop()
  }

  kill(): void {
    this.#processes.kill()
  }

  /** Metrics of all nodes that answer in time, as of one program. */
  async metrics(): Promise<string> {
    const pids = [...this.#serving.keys()]
    const all = await Promise.all(pids.map((pid) => this.#metricsOf(pid)))
    return sumMetrics(all.filter((each) => each !== null))
  }

  #metricsOf(pid: number): Promise<ProcessMetrics | null> {
    return this.#gathered.ask((no) => this.#send(pid, { kind: 'metrics', no }), {
      ms: metricsMs,
      answer: null,
    })
  }

  /** A link for the first operator, from whichever node serves. */
  async #link(): Promise<string> {
    const [pid] = this.#serving.keys()
    if (pid === undefined) throw new Error('no node serves')
    const patience = { ms: linkMs, answer: null }
    const link = await this.#links.ask((no) => this.#send(pid, { kind: 'link', no }), patience)
    if (link === null) throw new Error('the node made no link')
    return link
  }

  /** Old nodes leave once a new one serves for each; there is never one less than there should be. */
  async #replace(): Promise<void> {
    const { log } = this.#parts
    const why = await this.#plan.faultOfNext()
    if (why !== null) return log.error('program not replaced', { why })
    const old = [...this.#processes.pids()]
    for (const pid of old) {
      const wanted = this.#serving.size + 1
      this.#processes.add()
      await this.atLeast(wanted)
      if (this.#isStopping) return
      this.#processes.dismiss(pid)
      this.#serving.delete(pid)
      this.#send(pid, { kind: 'leave', place: this.#listening.placeOf(pid) })
      await this.#closed(pid)
    }
    log.info('program replaced', { nodes: old.length })
  }

  /** Resolves once a node that leaves is given no connection any more. */
  async #closed(pid: number): Promise<void> {
    const until = performance.now() + closeMs
    while (this.#listening.placeOf(pid) !== null && !this.#isStopping && performance.now() < until)
      await Promise.race([this.#changed.promise, Bun.sleep(closeLookMs)])
    this.#listening.remove(pid)
    const [another] = this.#serving.keys()
    if (another !== undefined) this.#send(another, { kind: 'spread' })
  }

  #hear(pid: number, report: NodeReport): void {
    switch (report.kind) {
      case 'serving':
        this.#serving.set(pid, report)
        this.#listening.add(pid, report.listenedAt)
        this.#processes.sound(pid)
        break
      case 'unfit':
        if (this.#isStarted)
          this.#parts.log.error('node process cannot serve', { pid, message: report.message })
        else this.#refuse(asError(report))
        break
      case 'closed':
        this.#listening.remove(pid)
        break
      case 'untrusted-proxy':
        this.#parts.notes.untrusted(report.proxy)
        break
      case 'unnamed':
        this.#parts.notes.unnamed(report.name)
        break
      case 'link':
        this.#links.answer(report.no, report.link)
        break
      case 'metrics':
        this.#gathered.answer(report.no, report)
        break
      case 'gather':
        void this.metrics().then((text) =>
          this.#send(pid, { kind: 'gathered', no: report.no, text }),
        )
        break
    }
    this.#tellChanged()
  }

  /** Ends the start. */
  #refuse(unfit: Error): void {
    this.#unfit ??= unfit
    this.#tellChanged()
  }

  #tellChanged(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  #send(pid: number, order: NodeOrder): void {
    this.#processes.send(pid, order)
  }
}

const asError = ({ message, code }: Extract<NodeReport, { kind: 'unfit' }>): Error =>
  Object.assign(new RangeError(message), code === null ? {} : { code })

/** A node that ended without a word; what it printed is in the same log. */
const endedAtStart = ({ code, signal }: EndedProcess): Error =>
  new Error(`a node process ended before it served (${signal ?? `exit code ${code}`})`)

/** Where metrics have an address of their own; null where they are at the public one, or nowhere. */
const metricsAt = (metrics: MetricsConfig | null) =>
  metrics === null || metrics.listen === null ? null : metrics
