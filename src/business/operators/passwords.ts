import type { Guess } from '../../domain/guess'
import { OperatorRefusal } from './operator-refusal'

const minLength = 12
/** Hashing takes longer with each byte. */
const maxLength = 200
/** Each takes 64 MB for a tenth of a second. */
const maxAtOnce = 2

/** Hashes and checks of passwords, few at once. */
export interface Passwords {
  /** Argon2id. @throws OperatorRefusal password_short | password_long */
  hash(password: string): Promise<string>
  /** @param hash null takes as long, and is false */
  verify(guess: Guess, password: string, hash: string | null): Promise<boolean>
}

/** Normal form of a password: keyboards compose letters differently. */
const plain = (password: string): string => password.normalize('NFKC')

export function openPasswords(): Passwords {
  let running = 0
  let unowned: string | null = null
  const waiting: (() => void)[] = []
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
  const hash = (password: string) =>
    bounded(() => Bun.password.hash(plain(password), { algorithm: 'argon2id' }))
  return {
    async hash(password) {
      if (plain(password).length < minLength)
        throw new OperatorRefusal('password_short', { min: minLength })
      if (plain(password).length > maxLength)
        throw new OperatorRefusal('password_long', { max: maxLength })
      return await hash(password)
    },
    async verify(_guess, password, known) {
      unowned ??= await hash(crypto.randomUUID())
      const isRight = await bounded(() =>
        Bun.password.verify(plain(password).slice(0, maxLength), known ?? unowned ?? ''),
      )
      return known !== null && isRight
    },
  }
}
