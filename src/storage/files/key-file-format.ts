/** One generation of the installation's keys. */
export interface SecretGeneration {
  /** From 1 on; what was hashed or sealed says which one it was. */
  readonly number: number
  /** 32 bytes: the pepper of hashes. */
  readonly pepper: Uint8Array
  /** 32 bytes: seals what must be read again. */
  readonly sealingKey: Uint8Array
  /** Same for the same bytes; they cannot be found from it. The database says by it which one is in use. */
  readonly mark: string
}

/** Secrets of an installation: without them no key can be checked and no credential opened. */
export interface InstallationSecrets {
  /** At least one, the oldest first. */
  readonly generations: readonly SecretGeneration[]
  /** 32 bytes: the key of ids that no rotation changes, the first pepper of the installation. */
  readonly lastingKey: Uint8Array
}

const keySize = 32
/** Size of a file without a rotation in its history: pepper and sealing key of generation 1. */
const plainSize = 2 * keySize
const format = 'chapar secret.key'

export const generationOf = (number: number, bytes: Uint8Array): SecretGeneration => {
  const pepper = bytes.subarray(0, keySize)
  const sealingKey = bytes.subarray(keySize, plainSize)
  const mark = new Bun.CryptoHasher('sha256', pepper).update('chapar').update(sealingKey)
  return { number, pepper, sealingKey, mark: mark.digest('hex') }
}

/** Secrets that begin with one generation. */
export const firstSecrets = (first: SecretGeneration): InstallationSecrets => ({
  generations: [first],
  lastingKey: first.pepper,
})

/** A generation of random bytes. */
export const newGeneration = (number: number): SecretGeneration =>
  generationOf(number, crypto.getRandomValues(new Uint8Array(plainSize)))

/** Reads the bytes of a key file; null where they are damaged. */
export function parseSecrets(bytes: Uint8Array): InstallationSecrets | null {
  if (bytes.length === plainSize) return firstSecrets(generationOf(1, bytes))
  try {
    return secretsIn(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return null
  }
}

/** Bytes of a key file, as `parseSecrets` reads them. */
export function serializeSecrets({ generations, lastingKey }: InstallationSecrets): Uint8Array {
  const [only] = generations
  if (only?.number === 1 && generations.length === 1 && isSame(only.pepper, lastingKey))
    return Buffer.concat([only.pepper, only.sealingKey])
  const kept = {
    format,
    version: 2,
    lasting_key: base64(lastingKey),
    generations: generations.map(({ number, pepper, sealingKey }) => ({
      number,
      pepper: base64(pepper),
      sealing_key: base64(sealingKey),
    })),
  }
  return Buffer.from(`${JSON.stringify(kept, null, 2)}\n`)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b)

function secretsIn(value: unknown): InstallationSecrets | null {
  const { format: named, version, lasting_key: lasting, generations } = fieldsOf(value)
  if (named !== format || version !== 2 || !Array.isArray(generations)) return null
  const lastingKey = keyIn(lasting)
  const read = generations.map((each: unknown) => {
    const { number, pepper, sealing_key: sealing } = fieldsOf(each)
    const [first, second] = [keyIn(pepper), keyIn(sealing)]
    return Number.isSafeInteger(number) && first !== null && second !== null
      ? generationOf(number as number, Buffer.concat([first, second]))
      : null
  })
  const whole = read.filter((each) => each !== null)
  const isRising = whole.every(({ number }, at) => number > (whole[at - 1]?.number ?? 0))
  if (lastingKey === null || whole.length === 0 || whole.length < read.length || !isRising)
    return null
  return { generations: whole, lastingKey }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function keyIn(value: unknown): Uint8Array | null {
  if (typeof value !== 'string') return null
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === keySize ? bytes : null
}
