import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What goes wrong with an answer of the authenticator, one fault at a time. */
export interface Faults {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** Nobody showed the device who they are. */
  readonly unverified?: true
  readonly counter?: number
  readonly userHandle?: string
  readonly tampered?: true
}

const userPresent = 0x01
const userVerified = 0x04
const attested = 0x40

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** An authenticator in software that holds one ES256 key pair (Web Authentication Level 3, 6.1). */
export function openAuthenticator(site: { readonly rpId: string; readonly origin: string }) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = pair.publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let handle = ''
  const authenticatorData = (faults: Faults, flags: number, rest: Uint8Array) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | userPresent | (faults.unverified ? 0 : userVerified))
    head.writeUInt32BE(faults.counter ?? 0, 1)
    return Buffer.concat([sha256(faults.rpId ?? site.rpId), head, rest])
  }
  const clientData = (type: string, challenge: string, faults: Faults) =>
    JSON.stringify({
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? site.origin,
      crossOrigin: false,
    })
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const }
  return {
    id: credential.id,
    /** Makes the credential that was asked for. */
    make(options: { challenge: string; user: { id: string } }, faults: Faults = {}) {
      handle = options.user.id
      const publicKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(jwk.x ?? '', 'base64url')],
          [-3, Buffer.from(jwk.y ?? '', 'base64url')],
        ]),
      )
      const idLength = Buffer.from([0, id.length])
      const rest = Buffer.concat([Buffer.alloc(16), idLength, id, publicKey])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(faults, attested, rest)],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, faults)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal' as const],
        },
        clientExtensionResults: {},
      }
    },
    /** Signs a challenge. */
    answer(options: { challenge: string }, faults: Faults = {}) {
      const data = clientData('webauthn.get', options.challenge, faults)
      const authenticated = authenticatorData(faults, 0, Buffer.alloc(0))
      const key = createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }))
      const signature = sign('sha256', Buffer.concat([authenticated, sha256(data)]), key)
      if (faults.tampered) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authenticated),
          signature: base64url(signature),
          userHandle: faults.userHandle ?? handle,
        },
        clientExtensionResults: {},
      }
    },
  }
}

/** The little of CBOR (RFC 8949) that an attestation needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([cborHead(3, text.length), text])
  }
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([
      cborHead(5, value.size),
      ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]),
    ])
  throw new Error('not in this CBOR')
}

const cborHead = (major: number, size: number): Buffer =>
  size < 24
    ? Buffer.from([(major << 5) | size])
    : size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
