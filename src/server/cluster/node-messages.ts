import type { UntrustedProxy } from '../../gateway/http/address'
import type { ListenerPlace } from '../../gateway/http/steering'

/** Ports that all nodes of a machine listen at. */
export interface SharedPorts {
  readonly port: number
  /** Null where operators are answered at the public port. */
  readonly adminPort: number | null
}

/** Reports of a node process to its supervisor. */
export type NodeReport =
  | {
      readonly kind: 'serving'
      readonly url: string
      readonly operatorUrl: string
      /** Whether it can make a link for the first operator. */
      readonly hasLink: boolean
      readonly vendors: readonly string[]
      readonly models: number
      /** When it began to listen, in milliseconds of a time that all processes of the machine share. */
      readonly listenedAt: number
    }
  /** It cannot serve, nor can another one with the same configuration. */
  | { readonly kind: 'unfit'; readonly message: string; readonly code: string | null }
  /** It leaves, and no more new connection comes to it. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'untrusted-proxy'; readonly proxy: UntrustedProxy }
  | {
      readonly kind: 'metrics'
      readonly no: number
      readonly process: string
      readonly text: string
    }
  | { readonly kind: 'unnamed'; readonly name: string }
  | { readonly kind: 'link'; readonly no: number; readonly link: string | null }
  /** It needs the metrics of all nodes of the machine. */
  | { readonly kind: 'gather'; readonly no: number }

/** Orders of a supervisor to a node process. */
export type NodeOrder =
  /** Accept no more connections, end those that are idle, and end once all calls are over. */
  | { readonly kind: 'leave'; readonly place: ListenerPlace | null }
  /** One that left listens no more: new connections may come to any node. */
  | { readonly kind: 'spread' }
  | { readonly kind: 'metrics'; readonly no: number }
  | { readonly kind: 'link'; readonly no: number }
  | { readonly kind: 'gathered'; readonly no: number; readonly text: string }
