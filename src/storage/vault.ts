import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keeps vendor credentials unreadable in the database. */
export interface Vault {
  /** @returns base64 of nonce, tag and sealed text */
  seal(text: string): string
  /** @throws RangeError when it was sealed with another key or was changed */
  open(sealed: string): string
}

const nonceSize = 12
const tagSize = 16

/** AES-256-GCM. @param key 32 bytes */
export function openVault(key: Uint8Array): Vault {
  return {
    seal(text) {
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceSize))
        decipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize))
        const text = decipher.update(bytes.subarray(nonceSize + tagSize))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new RangeError(
          'a vendor credential cannot be read: secret.key is not the one it was sealed with',
          { cause },
        )
      }
    },
  }
}
