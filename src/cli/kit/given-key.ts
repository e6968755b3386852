import { isInteractive } from './output'

/** Said of the option by which a key is read. */
export const stdinKeyAbout = 'read our key from standard input: it stays out of the shell’s history'

interface KeyOptions {
  readonly apiKey?: string
  readonly apiKeyStdin?: true
}

/** The key as it was given, on the command line or by standard input; null where it was not. */
export async function givenKey({ apiKey, apiKeyStdin }: KeyOptions): Promise<string | null> {
  if (apiKey !== undefined && apiKeyStdin)
    throw new RangeError('give the key by --api-key or by --api-key-stdin, not by both')
  const given = apiKeyStdin ? await Bun.stdin.text() : apiKey
  if (given === undefined) return null
  if (given.trim() === '') throw new RangeError('the key is empty')
  return given.trim()
}

/** Asks for the key where a person can answer. */
export async function requestedKey(): Promise<string | null> {
  if (!isInteractive()) return null
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message: 'Our key there (empty: none)' })
  if (isCancel(answer)) throw new RangeError('nothing was added')
  return answer?.trim() || null
}
