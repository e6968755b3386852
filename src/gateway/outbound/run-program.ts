interface Program {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[]
  /** All that the program sees of our environment: there are vendors' keys in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** Folder that other programs begin in: the one of this process, or the root where somebody removed that. */
export function workingFolder(): string {
  try {
    const own = process.cwd()
    process.chdir(own)
    return own
  } catch {
    return '/'
  }
}

/** Runs a program with this text on its standard input. @returns its exit code @throws where it cannot start */
export async function runWithInput(
  { command, environment, timeoutMs }: Program,
  input: string,
): Promise<number> {
  const child = Bun.spawn([...command], {
    env: environment,
    cwd: workingFolder(),
    stdin: new TextEncoder().encode(input),
    stdout: 'ignore',
    stderr: 'ignore',
    signal: AbortSignal.timeout(timeoutMs),
    killSignal: 'SIGKILL',
  })
  return await child.exited
}
