import type { Units, Usage } from '../../domain/usage'
import { grownUsage, plausibleUsage, takesBack } from './plausible-usage'
import { openSentText, progressWith, type Progress } from './chat/output-counter'
import { isSaid, type Delta, type DeltaRenderer, type DeltaStream, type RenderedEnd } from './hub'

/** A vendor's stream of text on its way to a client, whatever formats both speak. A pure state machine. */
export interface TextStream {
  /** @param data of one event @returns text for the client; '' for none */
  event(data: string): string
  /** The vendor closed the stream cleanly. @returns the rest, known only at the end */
  ended(): string
  complete(): boolean
  /** All of it has said why it ended: usage alone may come. Never before the end unless told otherwise. */
  finished?(): boolean
  /**
   * Output has begun: text, thinking, a call, or an end by a filter or a ceiling. Not by events that only announce
   * an answer (`message_start`, a role, an empty block), nor by an end after nothing. From now on a failure is told
   * in the stream. As soon as anything came out, unless told otherwise.
   */
  started?(): boolean
  /** The model has begun to think, also where nothing is shown of it. */
  thinks?(): boolean
  /** Text of the answer itself was given out, beyond thoughts and calls. */
  wrote?(): boolean
  /** Part of the answer was given out. */
  sent(): boolean
  /** As the vendor told; null as long as it has not. */
  reportedUsage(): Usage | null
  /** Output tokens given out, counted by us. */
  countedTokens(): number
  /** Where it is text that grows. */
  readonly progress?: Progress
  /** Tokens of sound and pictures given out, counted by us; none unless told otherwise. */
  countedMedia?(): Units
  /** Calls of tools that the vendor ran so far, counted by us; none unless told otherwise. */
  countedTools?(): Units
  close(end: RenderedEnd): string
  /** As of a renderer. */
  readonly keepAlive?: string
}

interface HubStreamParts {
  readonly vendor: DeltaStream
  readonly renderer: DeltaRenderer
  /** Token count of a text, where the vendor reports none. */
  countTokens(text: string): number
  /** Told of each delta. */
  observe?(delta: Delta): void
}

/** Calls of all choices: readers and writers remember each of them. */
const maxCalls = 2048

/** A stream translated through the middle: the vendor's events to deltas, deltas to the client's. */
export function openHubStream({
  vendor,
  renderer,
  countTokens,
  ...parts
}: HubStreamParts): TextStream {
  const text = openSentText(countTokens)
  let reported: Usage | null = null
  let takenBack = false
  let calls = 0
  let wrote = false

  const observe = (delta: Delta) => {
    switch (delta.type) {
      case 'text':
        wrote = true
        return text.add(delta.text)
      case 'reasoning':
      case 'refusal':
      case 'tool-arguments':
        return text.add(delta.text)
      case 'tool-start':
        if (++calls > maxCalls) throw new Error('too many tool calls')
        return text.add(delta.name)
      case 'usage':
        takenBack ||= takesBack(reported, delta.usage)
        reported = grownUsage(reported, delta.usage)
    }
  }

  let begun = false
  let started = false
  const pass = (deltas: readonly Delta[]): string => {
    for (const delta of deltas) observe(delta)
    if (parts.observe !== undefined) for (const delta of deltas) parts.observe(delta)
    started ||= deltas.some(isSaid)
    const out = deltas.length === 0 ? '' : renderer.render(deltas)
    if (out === '' && (begun || vendor.thinks?.() !== true)) return ''
    const first = begun || out !== '' ? out : (renderer.begin?.() ?? '')
    begun = true
    return first
  }

  const { keepAlive } = renderer
  return {
    ...(keepAlive === undefined ? {} : { keepAlive }),
    event: (data) => (data === '' ? '' : pass(vendor.event(data))),
    ended: () => pass(vendor.ended()),
    complete: () => vendor.complete(),
    finished: () => vendor.finished?.() === true,
    started: () => started,
    thinks: () => vendor.thinks?.() === true || (reported?.reasoning ?? 0) > 0,
    wrote: () => wrote,
    sent: () => renderer.sent?.() ?? text.any(),
    reportedUsage() {
      const given = { counted: text.tokens(), over: vendor.complete() && !takenBack }
      if (reported?.estimated !== true) return plausibleUsage(reported, given)
      const { output: _, ...units } = reported.units
      return plausibleUsage({ ...reported, units }, { ...given, over: false })
    },
    countedTokens: text.tokens,
    progress: progressWith(
      text,
      () => reported,
      (before) => void (reported = before),
    ),
    close: (end) => renderer.close(end),
  }
}
