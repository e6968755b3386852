import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM under the installation's keys: what it seals nobody else can read or change. */
export interface Vault {
  /**
   * Seals under the generation in use.
   * @param purpose bound to the sealed text without being in it: opens again under the same alone
   * @returns base64 of nonce, tag and sealed text; from the second generation on, a point and its number follow
   */
  seal(text: string, purpose?: string): string
  /** @returns null when it was sealed with another key or for another purpose, or was changed */
  open(sealed: string, purpose?: string): string | null
}

/** Keys of a vault, as they are by now. */
interface VaultKeys {
  /** The generation in use. */
  active(): SealingKey
  /** Null for a generation that is not at hand. */
  of(number: number): SealingKey | null
}

interface SealingKey {
  readonly number: number
  /** 32 bytes. */
  readonly sealingKey: Uint8Array
}

const algorithm = 'aes-256-gcm'
const nonceSize = 12
const tagSize = 16

/** What stands behind a hash or sealed text of a generation; nothing for the first. */
export const generationSuffix = (number: number): string => (number === 1 ? '' : `.${number}`)

export const openVault = (keys: VaultKeys): Vault => ({
  seal(text, purpose = '') {
    const { number, sealingKey } = keys.active()
    const nonce = randomBytes(nonceSize)
    const cipher = createCipheriv(algorithm, sealingKey, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    return bytes.toString('base64') + generationSuffix(number)
  },
  open(sealed, purpose = '') {
    const [text = '', number = '1'] = sealed.split('.')
    const key = keys.of(Number(number))
    const bytes = Buffer.from(text, 'base64')
    // A shorter tag would be accepted too, and is easier to forge (NIST SP 800-38D appendix C).
    if (key === null || bytes.length < nonceSize + tagSize) return null
    try {
      const decipher = createDecipheriv(algorithm, key.sealingKey, bytes.subarray(0, nonceSize))
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize))
      const opened = decipher.update(bytes.subarray(nonceSize + tagSize))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  },
})
