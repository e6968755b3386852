import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import type { Counted, ModelId } from './vendors'

/** Why a vendor refuses a request: what it says then. */
export class Refused extends Error {}

export function refuse(message: string): never {
  throw new Refused(message)
}

/** A value of a request as a vendor names it. */
export const shown = (value: unknown): string => JSON.stringify(value) ?? 'undefined'

/** What stands in a request's history, wherever its format has it. */
export interface Read {
  /** Everything that a user said. */
  readonly said: string[]
  /** Results of tools, as texts; one each. */
  readonly results: string[]
  /** Base64 of each picture, from users and from tools. */
  readonly pictures: string[]
  /** Names of tools on offer. */
  readonly tools: string[]
  readonly stream: boolean
  /** Thinking was asked for. */
  readonly thinks: boolean
}

/** What a vendor remembers of what it said: what it sealed, and what belongs together. */
export interface Memory {
  /** Seal → what was thought. */
  readonly seals: Map<string, string>
  /** Id of an item → seal of the reasoning that came before it. */
  readonly followers: Map<string, string>
}

export const newMemory = (): Memory => ({ seals: new Map(), followers: new Map() })

export interface Answer {
  readonly model: ModelId
  /** Number of this answer, in all of the service. */
  readonly at: number
  readonly thought: string
  readonly text: string
  readonly call: { readonly name: string; readonly input: object } | null
  readonly counted: Counted
}

/** One wire format, as its vendor takes and gives it. */
export interface Wire {
  /** @throws Refused for what the vendor would not take */
  read(body: Fields, memory: Memory, path: string): Read
  answer(answer: Answer, read: Read, memory: Memory): Response
  failure(message: string): object
}

export const emptyRead = (): Read & { stream: boolean; thinks: boolean } => ({
  said: [],
  results: [],
  pictures: [],
  tools: [],
  stream: false,
  thinks: false,
})

/** Members that a closed schema knows. */
export function onlyMembers(value: Fields, names: string, where: string): void {
  const known = new Set(names.split(' '))
  for (const name of Object.keys(value))
    if (!known.has(name) && value[name] !== undefined) refuse(`Unknown member ${where}.${name}`)
}

/** Base64 of a picture that came as a `data:` URL. */
export function pictureIn(url: unknown, where: string): string {
  const [, data] = /^data:image\/png;base64,(.+)$/s.exec(String(url)) ?? []
  return data ?? refuse(`${where}: not a picture that can be read`)
}

export const each = (value: unknown): readonly Fields[] => listOf(value).map(fieldsOf)

/** Words with the space before them. */
export const words = (text: string): readonly string[] => text.match(/\s*\S+/g) ?? []

export const halves = (text: string): readonly [string, string] => {
  const cut = Math.ceil(text.length / 2)
  return [text.slice(0, cut), text.slice(cut)]
}
