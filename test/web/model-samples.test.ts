import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelSamples } from '../../src/web/model-samples'
import { families, type Family } from '../../src/web/model-families'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
const folder = mkdtempSync(join(tmpdir(), 'chapar-samples-'))
beforeAll(async () => {
  gateway = await openTestGateway()
  copyFileSync(join(import.meta.dir, '../support/audio/tone.mp3'), join(folder, 'talk.mp3'))
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const models: Readonly<Record<Family, string>> = {
  chat: 'sandbox/echo',
  embedding: 'sandbox/embed',
  image: 'sandbox/draw',
  audio_stt: 'sandbox/listen',
  audio_tts: 'sandbox/speak',
  video: 'sandbox/video',
  music: 'sandbox/compose',
  moderation: 'sandbox/moderate',
  realtime: 'sandbox/realtime',
}

/** A sample as it is shown, pasted. */
const textOf = (family: Family, name: string): string | null =>
  modelSamples[family]
    .find((sample) => sample.name === name)
    ?.text({ baseUrl: gateway.url, key: gateway.key, model: models[family] }) ?? null

async function run(command: readonly string[]): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, said: out + err }
}

/** The video is asked for until it is made, and a conversation has no end: these are not waited for. */
const endless: ReadonlySet<Family> = new Set(['video', 'realtime'])
/** What is left behind by samples that write a file. */
const files: Partial<Record<Family, string>> = { image: 'apple.png', audio_tts: 'salam.mp3' }

describe('samples of models', () => {
  test.each(families.filter((family) => family !== 'realtime'))(
    'call a model by curl: %s',
    async (family) => {
      const { code, said } = await run([
        'sh',
        '-c',
        `${textOf(family, 'curl')} --fail-with-body -sS`,
      ])
      expect(said).not.toContain('"error":{')
      expect(code).toBe(0)
    },
  )

  test.each(families.filter((family) => !endless.has(family) && family !== 'music'))(
    'call a model by the official client: %s',
    async (family) => {
      writeFileSync(join(folder, `${family}.mjs`), textOf(family, 'Node') ?? '')
      const { code, said } = await run([process.execPath, `${family}.mjs`])
      expect({ code, said }).toMatchObject({ code: 0 })
      const file = files[family]
      if (file === undefined) expect(said.trim()).not.toBe('')
      else expect(existsSync(join(folder, file))).toBe(true)
    },
  )
})
