import type { Pepper } from '../../src/domain/pepper'
import { firstSecrets, generationOf } from '../../src/storage/files/key-file-format'
import { openKeyring } from '../../src/storage/files/keyring'
import type { Vault } from '../../src/storage/files/vault'

const keyringOf = (bytes: Uint8Array) => {
  const secrets = firstSecrets(generationOf(1, bytes))
  return openKeyring({
    file: { current: () => secrets },
    activeMark: () => null,
    onOldHash() {},
  })
}

/** The pepper of these 32 bytes. */
export const pepperOf = (bytes: Uint8Array): Pepper =>
  keyringOf(Buffer.concat([bytes, new Uint8Array(32)])).pepper

/** The vault of these 32 bytes. */
export const vaultOf = (bytes: Uint8Array): Vault =>
  keyringOf(Buffer.concat([new Uint8Array(32), bytes])).vault
