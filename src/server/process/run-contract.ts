import type { UntrustedProxy } from '../../gateway/http/address'
import type { LeavingProcess } from '../../business/data/storage'
import type { FirstLink } from '../setup-link'
import type { Leaving, Server } from '../listeners/server-contract'

/** A gateway that serves. */
export interface RunningServer {
  readonly url: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  /** Makes a link at which the first operator sets a password; null once there is one. */
  readonly operatorLink: FirstLink | null
  readonly vendors: readonly string[]
  readonly models: number
  /** Drains and stops. */
  stop(): Promise<void>
  /** Takes no new connection, and stops once every call is over, however long it takes. */
  leave(how?: Leaving): Promise<void>
  /** As of `Server`. */
  spread(): void
  readonly stopped: Promise<void>
  /**
   * Has the program on the disk take the place of this one, without refusing a call; absent where nothing can. Does
   * nothing where that program does not serve.
   */
  readonly replace?: () => Promise<void>
}

/** Addresses of a serving gateway, its metrics, and its key. */
export interface Serving {
  readonly server: Pick<Server, 'url' | 'port'>
  /** Number of nodes behind the address; 1 unless told. */
  readonly processes?: number
  /** Where operators reach it, without a path. */
  readonly operatorUrl: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  readonly metricsUrl: string | null
}

/** Observer of a process's life: ready, draining, stopped. */
export interface RunNotes {
  /** A proxy's word on addresses is not taken: its clients count as one. */
  untrusted(proxy: UntrustedProxy): void
  /** Clients reach the service by a name, and none is configured. */
  unnamed(name: string): void
  /** It is one of several processes, by this name. */
  joined?(process: string): void
  serving(serving: Serving): void
  /** Another process serves in its place. */
  leaving?(): void
  stopping(): void
  /** What this process holds counts no more: it must end at once. */
  fenced?(): void
  stopped(): void
}

/** Ports of a process; null where it has no such address. */
export interface ChosenPorts {
  readonly port: number
  readonly adminPort: number | null
  readonly metricsPort?: number | null
}

/** Message of a process to the one that is to take its place. */
export interface Succession extends Pick<LeavingProcess, 'folder'> {
  readonly ports: ChosenPorts
}
