import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../src/domain/clock'
import { systemNoticeId } from '../../src/domain/ids'
import { commandChannel } from '../../src/business/notices/channels/command'
import { noticeBody } from '../../src/business/notices/notice-body'
import { sampleNotice } from '../../src/business/notices/sample'
import { temporaryFolder } from '../support/executable'

let folder: string
beforeEach(() => void (folder = temporaryFolder()))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sample = sampleNotice(systemNoticeId(), 0 as Ms)
const environment = { PATH: process.env['PATH'] ?? '' }
const never = new AbortController().signal

const run = (command: readonly string[], timeoutMs = 5000): Promise<void> =>
  commandChannel({ command, environment, timeoutMs }).deliver(sample, never)

const refusal = async (command: readonly string[], timeoutMs?: number): Promise<string> => {
  try {
    await run(command, timeoutMs)
    return 'none'
  } catch (thrown) {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
  }
}

describe('a command', () => {
  test('gets the notice as JSON on its standard input', async () => {
    const file = join(folder, 'notice.json')
    await run(['tee', file])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(noticeBody(sample))),
    )
  })

  test('is run without a shell: nothing in its words is expanded', async () => {
    const file = join(folder, '$(echo x);y')
    await run(['tee', file])
    expect(readFileSync(file, 'utf8')).toContain(sample.id)
  })

  test('sees only the environment that it is given', async () => {
    process.env['CHAPAR_TEST_SECRET'] = 'hidden'
    const file = join(folder, 'environment')
    try {
      await run(['sh', '-c', `env > ${file}`])
    } finally {
      delete process.env['CHAPAR_TEST_SECRET']
    }
    expect(readFileSync(file, 'utf8')).toContain('PATH=')
    expect(readFileSync(file, 'utf8')).not.toContain('hidden')
  })

  test('fails by its exit code, by its time limit, and when there is no such program', async () => {
    expect(await refusal(['sh', '-c', 'exit 3'])).toBe('DeliveryFailed: it ended with code 3')
    const began = performance.now()
    expect(await refusal(['sleep', '300'], 50)).toBe('DeliveryFailed: not over in 50 ms')
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(await refusal([join(folder, 'nothing')])).toBe('DeliveryFailed: not started: ENOENT')
  })

  test('need not read what it is told', async () => {
    expect(await refusal(['true'])).toBe('none')
  })
})
