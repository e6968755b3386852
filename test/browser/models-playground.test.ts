import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openVisitor, type Visitor } from '../console/visitor'
import { settled, visit, type Looks } from '../support/browser'
import { browserSuite, look } from '../support/browser-suite'
import { run, temporaryFolder } from '../support/executable'
import { drawnOf } from '../support/campaigns'

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--demo'],
  async prepare() {
    expect((await run(['rate', 'set', '105000'], { data })).code).toBe(0)
  },
  clean: () => rmSync(data, { recursive: true, force: true }),
})

const words = {
  fa: {
    models: 'مدل‌ها',
    search: 'جست‌وجو',
    type: 'نوع',
    speech: 'گفتار',
    one: 'یک مدل',
    typed: 'استدلال echo',
    found: '۲ مدل',
    none: 'مدلی با این نشانه‌ها نیست',
    clear: 'برداشتن صافی‌ها',
    input: 'ورودی (توکن)',
    calls: 'تعداد درخواست',
    perCall: '۰٫۰۰۴۵ دلار',
    inAll: '۴٫۵۰ دلار',
    coins: '۴۷۲٬۵۰۰ تومان',
    document: 'سند بلند',
    inDocument: '۰٫۰۶۹ دلار',
    enter: 'مدل‌ها و بهای آن‌ها',
    playground: 'آزمایشگاه',
    noKey: 'کلیدی برای امتحان ندارید',
    model: 'مدل',
    secondModel: 'مدل دوم',
    compare: 'مقایسه با مدلی دیگر',
    parameters: 'تنظیم‌ها',
    system: 'پیام سیستم',
    temperature: 'دما',
    temperatureWrong: 'عددی از ۰ تا ۲ بنویسید.',
    message: 'پیام',
    send: 'بفرست',
    stop: 'بایست',
    cost: 'خرج شد',
    spentNothing: '۰٫۰۰ دلار',
    stopped: 'نگه داشته شد',
    ask: 'چیزی بپرسید',
    pictures: 'تصویر',
    prompt: 'چه تصویری؟',
    made: 'تصویر ۱',
    text: 'متن',
    play: 'پخش',
    pause: 'مکث',
    save: 'برداشتن پرونده',
    hearing: 'پیاده‌سازی صدا',
    heard: 'متن صدا',
    try: 'امتحان در آزمایشگاه',
  },
  en: {
    models: 'Models',
    search: 'Search',
    type: 'Type',
    speech: 'Speech',
    one: '1 model',
    typed: 'reasoning echo',
    found: '2 models',
    none: 'No model is like that',
    clear: 'Clear filters',
    input: 'Input (tokens)',
    calls: 'Requests',
    perCall: '$0.0045',
    inAll: '$4.50',
    coins: '472,500 tomans',
    document: 'Long document',
    inDocument: '$0.069',
    enter: 'Models and their prices',
    playground: 'Playground',
    noKey: 'You have no key to try with',
    model: 'Model',
    secondModel: 'Second model',
    compare: 'Compare with another model',
    parameters: 'Parameters',
    system: 'System message',
    temperature: 'Temperature',
    temperatureWrong: 'Type a number from 0 to 2.',
    message: 'Message',
    send: 'Send',
    stop: 'Stop',
    cost: 'It cost',
    spentNothing: '$0.00',
    stopped: 'Stopped',
    ask: 'Ask something',
    pictures: 'Pictures',
    prompt: 'What is to be seen?',
    made: 'Picture 1',
    text: 'Text',
    play: 'Play',
    pause: 'Pause',
    save: 'Save the file',
    hearing: 'Transcription',
    heard: 'What was said',
    try: 'Try in the playground',
  },
} as const

const journeys = [
  { language: 'fa', scheme: 'dark', width: 390, phone: '09123450011' },
  { language: 'en', scheme: 'light', width: 1280, phone: '09123450012' },
] as const

/** Somebody with credit, and without a key so far. */
async function customer(phone: string): Promise<Visitor> {
  const visitor = openVisitor(suite.serving)
  await visitor.signIn(phone)
  const { account } = (await visitor.send('GET', '/me')).body as { account: { id: number } }
  const given = ['account', 'adjust', String(account.id), '5', '--reason', 'test']
  expect((await run(given, { data })).code).toBe(0)
  return visitor
}

async function makeKey(visitor: Visitor): Promise<void> {
  const { body: projects } = await visitor.send('GET', '/projects')
  const [project] = (projects as { data: { id: number }[] }).data
  const { status } = await visitor.send('POST', '/keys', { project: project?.id, name: 'laptop' })
  expect(status).toBe(200)
}

/** What came over the wire so far, headers left out. */
function weigh(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) =>
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
  )
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Chooses by typing a part of its name. */
async function choose(page: Page, label: string, id: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true }).filter({ visible: true })
  await field.fill(id)
  await page.getByRole('option', { name: id, exact: true }).click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** What a conversation says that would rather be a page. */
const hostile = `**bold** and \`code\` & [a link](https://example.com/x) [bad](javascript:alert(1)) <img src=x onerror="document.title='run'"> ![seen](https://example.com/y.png)`

async function talk(page: Page, looks: Looks): Promise<void> {
  const t = words[looks.language]
  const ask = async (question: string) => {
    await page.getByLabel(t.message, { exact: true }).fill(question)
    await page.keyboard.press('Enter')
  }
  const costs = page.getByText(t.cost).filter({ visible: true })
  await page.getByText(t.ask).waitFor()
  await choose(page, t.model, 'sandbox/echo-priced')
  await page.getByText(t.parameters).click()
  await page.getByLabel(t.system).fill('Be short.')
  await page.getByLabel(t.temperature).fill('9')
  await page.getByText(t.temperatureWrong).waitFor()
  await look(page, 'playground', looks)
  await page.getByLabel(t.temperature).fill('0.5')
  await page.getByText(t.parameters).click()

  await ask(hostile)
  const answer = page.getByRole('article').first()
  await costs.first().waitFor()
  await answer.locator('strong', { hasText: 'bold' }).waitFor()
  expect(await answer.locator('img').count()).toBe(0)
  expect(await answer.locator('a[href^="https://example.com/"]').count()).toBe(2)
  expect(await answer.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await answer.locator('a[rel*="noopener"]').count()).toBe(2)
  await look(page, 'playground-answer', looks)

  await page.getByRole('button', { name: t.compare }).click()
  await choose(page, t.secondModel, 'sandbox/slow-priced')
  await ask(Array.from({ length: 300 }, (_, at) => `word${at}`).join(' '))
  await page.getByText('word5').first().waitFor()
  await page.getByRole('article', { name: 'sandbox/slow-priced' }).getByText('word3').waitFor()
  await page.getByRole('button', { name: t.stop }).click()
  await page.getByText(t.stopped).waitFor()
  await costs.nth(2).waitFor()
  await look(page, 'playground-compared', looks)
}

async function otherCalls(page: Page, looks: Looks): Promise<void> {
  const t = words[looks.language]
  const panel = page.getByRole('tabpanel')
  const send = async () => {
    await panel.getByRole('button', { name: t.send }).click()
    await panel.getByText(t.cost).waitFor()
  }
  await page.getByRole('tab', { name: t.pictures }).click()
  await choose(page, t.model, 'sandbox/draw-priced')
  await panel.getByLabel(t.prompt).fill('a red apple')
  await send()
  await panel.getByRole('img', { name: t.made }).waitFor()
  await look(page, 'playground-pictures', looks)

  await page.getByRole('tab', { name: t.speech }).click()
  await choose(page, t.model, 'sandbox/speak-priced')
  await panel.getByLabel(t.text).fill('سلام دنیا، این یک آزمایش است.')
  await send()
  await panel.getByRole('button', { name: t.play }).click()
  await panel.getByRole('button', { name: t.pause }).click()
  await panel.getByRole('button', { name: t.play }).waitFor()
  expect(await panel.getByRole('link', { name: t.save }).getAttribute('href')).toStartWith('blob:')
  await look(page, 'playground-speech', looks)

  await page.getByRole('tab', { name: t.hearing }).click()
  await choose(page, t.model, 'sandbox/listen-priced')
  await panel
    .locator('input[type=file]')
    .setInputFiles(join(import.meta.dir, '../support/audio/tone.mp3'))
  await send()
  await panel.getByLabel(t.heard).waitFor()
  await look(page, 'playground-transcription', looks)
}

describe('models for everybody', () => {
  test.each(drawnOf(journeys))(
    'are searched and priced without a session: $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(suite.origin, each, { mayBeCached: false })
      const t = words[each.language]
      const weight = weigh(page)
      await page.goto(`${suite.origin}/app/models`)
      await page.getByRole('link', { name: 'sandbox/echo-priced' }).waitFor()
      await settled(page)
      expect(await weight()).toBeLessThanOrEqual(250_000)
      await look(page, 'models', each)

      await page.getByLabel(t.search).fill(t.typed)
      await page.getByText(t.found, { exact: true }).waitFor()
      await page.getByLabel(t.type).selectOption({ label: t.speech })
      await page.getByText(t.none).waitFor()
      await look(page, 'models-none', each)
      await page.getByRole('button', { name: t.clear }).click()
      await page.getByRole('link', { name: 'sandbox/echo-priced' }).click()

      await page.getByRole('heading', { name: 'Sandbox echo (priced)', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/app/models/sandbox/echo-priced')
      for (const text of [t.perCall, t.inAll, t.coins])
        await page.getByText(text, { exact: true }).first().waitFor()
      await look(page, 'model', each)
      await page.getByRole('button', { name: t.document }).click()
      await page.getByText(t.inDocument, { exact: true }).waitFor()
      expect(await page.getByRole('link', { name: t.try }).count()).toBe(0)
      await page.getByRole('tab', { name: 'Python' }).click()
      await page.getByRole('tabpanel').getByText('YOUR_KEY').waitFor()

      await page.goto(`${suite.origin}/app/models/sandbox/draw-priced`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(page, 'model-pictures', each)
      await page.goto(`${suite.origin}/app`)
      await page.getByRole('link', { name: t.enter }).click()
      await page.getByRole('heading', { name: t.models, level: 1 }).waitFor()
      expect(faults).toEqual([])
      await close()
    },
  )
})

describe('the playground', () => {
  test.each(drawnOf(journeys))(
    'calls models by a key of one’s own, and forgets: $language, $scheme, $width',
    async (each) => {
      const { page, context, faults, close } = await visit(suite.origin, each)
      const t = words[each.language]
      const visitor = await customer(each.phone)
      const value = visitor.cookie().replace('chapar=', '')
      await context.addCookies([{ name: 'chapar', value, url: suite.origin }])
      await page.goto(`${suite.origin}/app/playground`)
      await page.getByText(t.noKey).waitFor()
      await look(page, 'playground-no-key', each)
      await makeKey(visitor)

      await page.goto(`${suite.origin}/app/models/sandbox/echo-priced`)
      await page.getByRole('link', { name: t.try }).click()
      await page.getByRole('heading', { name: t.playground, level: 1 }).waitFor()
      await talk(page, each)
      await otherCalls(page, each)

      await page.reload()
      await page.getByRole('heading', { name: t.playground, level: 1 }).waitFor()
      await page.getByRole('status').getByText(t.spentNothing).waitFor()
      expect(await page.getByText('a red apple').count()).toBe(0)
      const kept = JSON.parse(await page.evaluate('JSON.stringify(localStorage)')) as object
      const names = Object.keys(kept).filter((name) => !name.startsWith('mantine'))
      expect(names.toSorted()).toEqual(
        ['audio_stt', 'audio_tts', 'chat', 'image'].map((family) => `chapar.playground.${family}`),
      )
      expect(JSON.stringify(kept)).not.toContain('word1')
      expect(faults).toEqual([])
      await close()
    },
  )
})
