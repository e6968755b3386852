import type { Upgrade } from '../net/socket'
import type { RealtimeParts } from '../endpoints/realtime/open-realtime'
import type { GroupViews } from '../catalogue/view'
import type { AccountReader } from '../../domain/reports/account-reader'
import type { PriceCard } from '../../domain/model'
import type { Reports } from '../../domain/reports/report'
import type { VideoParts } from '../endpoints/videos/create'
import type { Inbound } from '../http/inbound'
import type { Spool } from '../http/spool'
import type { RouteDoc } from './reference/doc'

/** Rooms that the routes depend on. */
export interface RouteParts extends RealtimeParts, VideoParts {
  readonly models: GroupViews
  readonly reports: Reports
  readonly reader: Pick<AccountReader, 'projectUsage'>
  /** Where uploads lie while they are on their way. */
  readonly spool: Spool
  /** Ceiling on a frame of any client; each account has its own below it. */
  readonly maxFrameBytes: number
  /** The prices of a model in this version; null when they are not known any more. */
  cardOf(model: string, version: string): Promise<PriceCard | null>
  /** Resolves when every call that ended before, at any process of the service, is on record. */
  recorded(): Promise<void>
  /** False while the gateway is stopping. */
  ready(): boolean
  /** The database that others share too was not heard of for long: calls should go elsewhere. */
  isCutOff?(): boolean
}

type Answered = Response | undefined

/** One row of the table: a method and path, and what answers them. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /**
   * Its clients try a WebSocket at the same path first, and go on over HTTP at once when that is
   * refused with 426 (RFC 9110 15.5.22); any other refusal they try again.
   */
  readonly refusesUpgrade?: true
  /** `*` at its end stands for the rest of the path, before its end for one step of it. */
  readonly path: string
  /** Pattern of the `*`; anything unless told otherwise. */
  readonly idPattern?: RegExp
  /** Its description in the document. */
  readonly doc: RouteDoc
  /** @returns undefined when the request has become a WebSocket */
  serve(parts: RouteParts, inbound: Inbound, upgrade: Upgrade): Promise<Answered>
}
