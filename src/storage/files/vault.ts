import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM under the installation's key: what it seals nobody else can read or change. */
export interface Vault {
  /**
   * @param purpose bound to the sealed text without being in it: opens again under the same alone
   * @returns base64 of nonce, tag and sealed text
   */
  seal(text: string, purpose?: string): string
  /** @returns null when it was sealed with another key or for another purpose, or was changed */
  open(sealed: string, purpose?: string): string | null
}

const algorithm = 'aes-256-gcm'
const nonceSize = 12
const tagSize = 16

/** @param key 32 bytes */
export function openVault(key: Uint8Array): Vault {
  return {
    seal(text, purpose = '') {
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed, purpose = '') {
      const bytes = Buffer.from(sealed, 'base64')
      // A shorter tag would be accepted too, and is easier to forge (NIST SP 800-38D appendix C).
      if (bytes.length < nonceSize + tagSize) return null
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceSize))
        decipher.setAAD(Buffer.from(purpose))
        decipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize))
        const text = decipher.update(bytes.subarray(nonceSize + tagSize))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
