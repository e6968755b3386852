import type { Pepper, RehashedKind } from '../../domain/pepper'
import type { KeyFile } from './key-file'
import type { InstallationSecrets, SecretGeneration } from './key-file-format'
import { generationSuffix, openVault, type Vault } from './vault'

/** A row that was found under a hash of an older generation, and the hash of the one in use. */
export interface Rehash {
  readonly kind: RehashedKind
  readonly from: string
  readonly to: string
}

/** Hashes and seals of an installation, under the generations that its key file has by now. */
export interface Keyring {
  readonly pepper: Pepper
  readonly vault: Vault
}

interface KeyringParts {
  readonly file: KeyFile
  /** Mark of the generation in use; null where the database tells none yet. Asked where there are several. */
  activeMark(): string | null
  /** Told of rows that were used under an older hash. */
  onOldHash(rehash: Rehash): void
}

/** The generation that a mark names. @throws Error where the key file lacks it */
function activeGeneration(
  { generations }: InstallationSecrets,
  mark: () => string | null,
): SecretGeneration {
  const [oldest] = generations
  const wanted = generations.length === 1 ? null : mark()
  const found = wanted === null ? oldest : generations.find((each) => each.mark === wanted)
  if (found === undefined) throw new Error('secret.key lacks the generation in use')
  return found
}

export function openKeyring({ file, activeMark, onOldHash }: KeyringParts): Keyring {
  const active = () => activeGeneration(file.current(), activeMark)
  return {
    pepper: {
      hash: (text) => hashUnder(active(), text),
      hashes: (text) => file.current().generations.map((each) => hashUnder(each, text)),
      used(kind, text, from) {
        const { generations } = file.current()
        if (generations.length === 1) return
        const to = hashUnder(active(), text)
        if (from !== to) onOldHash({ kind, from, to })
      },
      lastingHash: (text) => hmac(file.current().lastingKey, text),
    },
    vault: openVault({
      active,
      of: (number) => file.current().generations.find((each) => each.number === number) ?? null,
    }),
  }
}

const hmac = (key: Uint8Array, text: string): string =>
  new Bun.CryptoHasher('sha256', key).update(text).digest('hex')

const hashUnder = ({ pepper, number }: SecretGeneration, text: string): string =>
  hmac(pepper, text) + generationSuffix(number)
