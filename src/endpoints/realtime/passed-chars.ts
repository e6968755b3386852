import type { Units } from '../../domain/usage'
import {
  inputAudioTokens,
  outputAudioTokens,
  textTokens,
  type SoundRates,
} from '../../formats/realtime/audio-tokens'

/** Characters of sound and text that passed since the last bill, and their units. */
export class PassedChars {
  readonly #client = { sound: 0, text: 0 }
  readonly #vendor = { sound: 0, text: 0 }
  /** Of the client's sound what was taken in as said; null where the vendor does not tell. */
  #said: number | null = null

  add(by: 'client' | 'vendor', what: 'sound' | 'text', chars: number): void {
    if (by === 'client') this.#client[what] += chars
    else this.#vendor[what] += chars
  }

  /** Records what the vendor did with the client's sound. @returns characters of what was said */
  heard(what: 'speech' | 'said' | 'nothing'): number {
    const taken = what === 'said' ? this.#client.sound : 0
    if (what === 'said') this.#said = (this.#said ?? 0) + taken
    this.#client.sound = 0
    return taken
  }

  /** Units of an answer that the vendor did not count: nothing where nothing of it came. */
  delivered(rates: SoundRates): Units {
    const { sound, text } = this.#vendor
    return sound + text === 0 ? {} : this.#guess(rates, this.#said ?? this.#client.sound)
  }

  /** Units under way. Silence that is listened to for an hour needs no money: sound counts once it was taken in. */
  running(rates: SoundRates): Units {
    return this.#guess(rates, this.#said ?? 0)
  }

  billed(): void {
    this.#client.text = this.#vendor.sound = this.#vendor.text = 0
    // Sound that was not taken in yet belongs to what is said next.
    if (this.#said === null) this.#client.sound = 0
    else this.#said = 0
  }

  #guess(rates: SoundRates, sound: number): Units {
    return {
      input_audio: inputAudioTokens(sound, rates),
      input: textTokens(this.#client.text),
      output_audio: outputAudioTokens(this.#vendor.sound, rates),
      output: textTokens(this.#vendor.text),
    }
  }
}
