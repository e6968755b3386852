import { expect } from 'bun:test'
import { nanoUsd, type NanoUsd } from '../../../src/domain/money'
import type { RecordedCall } from '../../../src/domain/reports/report'
import type { Conversing } from './conversation'

export const ask = { type: 'response.create' }

export const nanos = (amount: number): NanoUsd => nanoUsd(amount)

/** Everything is charged that was, and nothing is left behind. @returns the newest record */
export async function settled({ chapar, records }: Conversing): Promise<RecordedCall | undefined> {
  expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  expect(await chapar.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
  return (await records())[0]
}

export const typesOf = (frames: readonly string[]): string[] =>
  frames.map((frame) => (JSON.parse(frame) as typeof ask).type)

/** What an answer that is cut after its first sound is charged by estimate. */
export const cutNanos = 32_000 + 64_000 + 16_000
export const cutUnits = { input_audio: 1, output_audio: 1, output: 1 }
/** A token of sound, as it is heard: 100 ms. */
export const heardOnce = { type: 'input_audio_buffer.append', audio: 'AAAA'.repeat(1600) }
