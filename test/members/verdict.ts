import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'

/** What becomes of a member on its way to a vendor. */
export type Verdict =
  | { readonly kind: 'passed' }
  /** 400 with the member, or what stands for it, as `param`. */
  | { readonly kind: 'refused'; readonly param?: string }
  /** The vendor finds this at another place, or another value at its own. */
  | { readonly kind: 'translated'; readonly to: string; readonly value: unknown }
  /** The vendor is told what it would be told without it. */
  | { readonly kind: 'left out'; readonly because: string }

export const passed: Verdict = { kind: 'passed' }
export const refused: Verdict = { kind: 'refused' }
/** @param to names of members, a dot between two */
export const translated = (to: string, value: unknown): Verdict => ({
  kind: 'translated',
  to,
  value,
})
export const leftOut = (because: string): Verdict => ({ kind: 'left out', because })

/** A member that clients send, with an example of it. */
export interface Row<Format extends string> {
  readonly sample: unknown
  /** What it means nothing without. */
  readonly beside: Fields
  readonly verdicts: Readonly<Record<Format, Verdict>>
}

/** What came of a request. */
export interface Outcome {
  readonly status: number
  readonly param: unknown
  /** What the vendor received; null when nobody was asked. */
  readonly body: Fields | null
}

/**
 * Whether it came as the table says.
 * @param without what came of the same request without the member
 * @returns null when it did, else what came instead
 */
export function misjudged(
  name: string,
  sample: unknown,
  verdict: Verdict,
  { came, without }: { readonly came: Outcome; readonly without: Outcome },
): string | null {
  const { status, param, body } = came
  const told = `${status}, param ${JSON.stringify(param)}, the vendor got ${JSON.stringify(body)}`
  if (verdict.kind === 'refused') {
    const names = String(param).startsWith(verdict.param ?? name)
    return status === 400 && names && body === null ? null : told
  }
  if (status !== 200 || body === null) return told
  switch (verdict.kind) {
    case 'passed':
      return isDeepStrictEqual(body[name], sample) ? null : told
    case 'translated':
      return isDeepStrictEqual(at(body, verdict.to), verdict.value) ? null : told
    case 'left out':
      return isDeepStrictEqual(body, without.body) ? null : told
  }
}

const at = (body: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => {
    const list: unknown = Array.isArray(value) ? value[Number(step)] : undefined
    return Array.isArray(value) ? list : fieldsOf(value)[step]
  }, body)
