import type { CallParts } from '../call/run'
import type { ModelViews } from '../catalogue/view'
import type { Inbound } from '../http/inbound'

/** What the routes need of the rooms below. */
export interface RouteParts extends CallParts {
  readonly models: ModelViews
  /** False while the gateway is stopping. */
  ready(): boolean
}

/** One row of the table: a method and path, and what answers them. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `*` at its end stands for the rest of the path. */
  readonly path: string
  serve(parts: RouteParts, inbound: Inbound): Response | Promise<Response>
}
