import type { Traits } from '../../../src/domain/model'
import type { HubVendor } from '../hub-vendor'

/**
 * A stream as vendors were seen to send it, in the fewest events that have the shape; written by hand.
 * One that only announces an answer and then fails must reach clients as an HTTP error.
 */
export interface Shape {
  readonly name: string
  readonly kind: HubVendor['kind']
  readonly dialect?: HubVendor['dialect']
  readonly traits?: Traits
  /** Everything between two blank lines, as it stands on the wire. */
  readonly events: readonly string[]
  readonly says: ShapeSays | ShapeFailure
}

/** What a client of any format must make of it. */
export interface ShapeSays {
  readonly text: string
  readonly calls: readonly ShapeCall[]
  /** Addresses of cited pages, in their order. */
  readonly cites: readonly string[]
}

/** Calls of the client's tools. */
export interface ShapeCall {
  readonly name: string
  readonly arguments: unknown
}

export interface ShapeFailure {
  readonly status: number
  readonly code: string
}

export const says = (
  text: string,
  rest: Partial<Pick<ShapeSays, 'calls' | 'cites'>> = {},
): ShapeSays => ({ text, calls: [], cites: [], ...rest })

export const weather = (city: string): ShapeCall => ({ name: 'weather', arguments: { city } })
export const clock: ShapeCall = { name: 'clock', arguments: {} }

export const page = (name: string): string => `https://pages.example/${name}`
