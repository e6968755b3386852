import type { ModelViews } from '../catalogue/view'
import type { PriceCard } from '../domain/model'
import type { Reports } from '../domain/report'
import type { VideoParts } from '../jobs/create'
import type { Inbound } from '../http/inbound'
import type { RouteDoc } from '../reference/doc'

/** What the routes need of the rooms below. */
export interface RouteParts extends VideoParts {
  readonly models: ModelViews
  readonly reports: Reports
  /** The prices of a model in this version; null when they are not known any more. */
  cardOf(model: string, version: string): PriceCard | null
  /** False while the gateway is stopping. */
  ready(): boolean
}

/** One row of the table: a method and path, and what answers them. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `*` at its end stands for the rest of the path, before its end for one step of it. */
  readonly path: string
  /** What the document tells of it. */
  readonly doc: RouteDoc
  serve(parts: RouteParts, inbound: Inbound): Response | Promise<Response>
}
