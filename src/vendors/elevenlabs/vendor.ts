import { embeddedFailure } from '../failure'
import type { Vendor } from '../vendor'
import { elevenLabsFailure } from './failure'
import { music } from './music'
import { speech } from './speech'
import { transcribe } from './transcribe'

/**
 * ElevenLabs: speech, transcription and music in a format of its own; the key goes as `xi-api-key`.
 * @see vercel/ai `packages/elevenlabs` of 2026-08-22
 */
export const elevenlabs: Vendor = {
  kind: 'elevenlabs',
  abilities: { speak: speech, music, transcribe },
  sign: (credential) => [['xi-api-key', credential]],
  failure: elevenLabsFailure,
  embeddedFailure,
}
