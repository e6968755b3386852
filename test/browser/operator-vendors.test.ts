import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { systemClock, type Ms } from '../../src/domain/clock'
import type { VendorConfig } from '../../src/domain/model'
import { wholeVendor } from '../../src/domain/vendor-state'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Looks } from '../support/browser'
import { allLooks, browserSuite, inEachLanguage, look, lookInAll } from '../support/browser-suite'
import { temporaryFolder } from '../support/executable'
import { openAsOwner, signInOwner, type OwnerIn } from '../support/operator-pages'

const wrongKey = 'sk-wrong-0123456789'
/** A vendor that lists two models to whoever has a key but the wrong one. */
const standIn = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ headers }) =>
    headers.get('authorization') === `Bearer ${wrongKey}`
      ? Response.json({ error: { message: 'no' } }, { status: 401 })
      : Response.json({ data: [{ id: 'small' }, { id: 'large' }] }),
})
const standInUrl = `http://127.0.0.1:${standIn.port}/v1`

const data = temporaryFolder()
await seed()
const suite = browserSuite({
  args: ['--data', data, '--sandbox'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})

/** A vendor that fails, with what is known of it, one that answers, and one that is off. */
async function seed() {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const { catalogue } = storage.by('command:test')
  const one = (name: string, change: Partial<VendorConfig>): VendorConfig => ({
    name,
    kind: 'openai',
    dialect: 'generic',
    baseUrl: standInUrl,
    credential: 'sk-right-0123456789',
    timeoutMs: 60_000,
    transport: 'own',
    active: true,
    source: 'command',
    ...change,
  })
  try {
    await catalogue.saveVendor(one('openai', { dialect: 'openai' }))
    await catalogue.saveVendor(
      one('second', {
        // Nobody listens there: checks find it down as well.
        baseUrl: 'http://127.0.0.1:9/v1',
        moreCredentials: [{ name: 'key-2', secret: 'sk-other-0123456789', active: true }],
      }),
    )
    await catalogue.saveVendor(one('resting', { active: false, transport: 'fetch' }))
    const now = systemClock.now()
    await storage.vendorStates.save({
      states: [
        {
          vendor: 'second',
          credential: wholeVendor,
          trouble: 'down',
          since: (now - 600_000) as Ms,
          coolingUntil: (now + 900_000) as Ms,
          balance: null,
          checked: null,
          failureCode: 'upstream_error',
          failedAt: (now - 30_000) as Ms,
          recent: {
            attempts: 240,
            failures: 31,
            p50Ms: 812,
            p95Ms: 4310,
            since: (now - 3_000_000) as Ms,
            until: (now - 30_000) as Ms,
            lastFailures: [
              { code: 'upstream_error', status: 503, at: (now - 30_000) as Ms },
              { code: 'upstream_timeout', status: null, at: (now - 90_000) as Ms },
            ],
          },
        },
        {
          vendor: 'second',
          credential: 'default',
          trouble: null,
          since: null,
          coolingUntil: null,
          balance: { amount: '12.5', currency: 'USD' },
          checked: (now - 20_000) as Ms,
          failureCode: null,
          failedAt: null,
          recent: null,
        },
      ],
      gone: [],
      notices: [],
    })
  } finally {
    await storage.close()
  }
}

let owner: OwnerIn
beforeAll(async () => {
  owner = await signInOwner(suite.origin, data)
})
afterAll(() => standIn.stop(true))

const usual: Looks = { language: 'en', scheme: 'light', width: 1280 }
const open = (path: string, looks: Looks = usual) => openAsOwner(suite.origin, owner, path, looks)

describe.each([
  ['vendors', '/operator/vendors'],
  ['vendor', '/operator/vendors/second'],
  ['vendor-routed', '/operator/vendors/openai'],
  ['bills', '/operator/bills'],
] as const)('%s', (name, path) => {
  test(
    'is whole in both languages',
    inEachLanguage(allLooks, async (looks) => {
      const { page, faults, close } = await open(path, looks[0])
      await lookInAll(page, name, looks)
      expect(faults).toEqual([])
      await close()
    }),
  )
})

describe('an operator', () => {
  test('sees that a vendor is down, tests it, and reads what was asked and heard', async () => {
    const { page, faults, close } = await open('/operator/vendors')
    const row = page.getByRole('listitem').filter({ hasText: 'second' })
    await row.getByText('down', { exact: true }).waitFor()
    await row.getByText('240 calls, 12.9% failed').waitFor()
    await row.getByRole('link', { name: 'second' }).click()
    await page.getByText('upstream_timeout').waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('GET http://127.0.0.1:9/v1/models').first().waitFor()
    await page.getByText('http://127.0.0.1:9/v1 does not answer.').first().waitFor()
    await look(page, 'vendor-tested', usual)
    expect(faults).toEqual([])
    await close()
  })

  test('adds a vendor that is tried first, and reads what came on sale', async () => {
    const { page, close } = await open('/operator/vendors')
    await page.getByRole('button', { name: 'Add vendor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('third')
    await dialog.getByLabel('What it speaks').selectOption('openai')
    await dialog.getByLabel('Address').fill(standInUrl)
    await dialog.getByLabel('Our key there').fill(wrongKey)
    await look(page, 'vendor-adding', usual)
    await dialog.getByRole('button', { name: 'Test and add' }).click()
    await dialog.getByText(/ refuses our key \(40\d\)\. Nothing was saved/).waitFor()
    await look(page, 'vendor-refused', usual)
    await dialog.getByLabel('Our key there').fill('sk-right-9876543210')
    await dialog.getByRole('button', { name: 'Test and add' }).click()
    await page.getByRole('heading', { name: 'third was added' }).waitFor()
    await page.getByText('It answers and lists 2 models.').waitFor()
    await page.getByRole('link', { name: 'See third' }).click()
    await page.getByRole('heading', { level: 1, name: 'third' }).waitFor()
    await page.getByText('…3210').waitFor()
    await close()
  })

  test('sets how long its streams may say nothing, and takes that back', async () => {
    const { page, close } = await open('/operator/vendors/second')
    const dialog = page.getByRole('dialog')
    for (const [typed, shown] of [
      ['۲۵', '25 seconds'],
      ['', 'as the setting says'],
    ] as const) {
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await dialog.getByLabel('Longest wait for a stream to say something').fill(typed)
      await dialog.getByRole('button', { name: 'Test and save' }).click()
      await page.getByText(shown, { exact: true }).waitFor()
    }
    await close()
  })

  test('replaces one of two keys, switches it off, and forgets it', async () => {
    const { page, close } = await open('/operator/vendors/second')
    await page.getByRole('button', { name: 'Replace key key-2' }).click()
    await page.getByRole('dialog').getByLabel('Key').fill('sk-newer-0123abcd')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('switch', { name: 'Save it all the same' }).check({ force: true })
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('…abcd').waitFor()
    await page.getByRole('button', { name: 'Switch key-2 off' }).click()
    await page.getByRole('button', { name: 'Switch key-2 on' }).waitFor()
    await page.getByRole('button', { name: 'Remove key key-2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Replace key key-2' }).waitFor({ state: 'detached' })
    await close()
  })

  test('reads which models leave the sale before a vendor is removed', async () => {
    const { page, close } = await open('/operator/vendors/openai')
    await page.getByText('only here').first().waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/\d+ models have no other route and leave the sale/).waitFor()
    await look(page, 'vendor-removing', usual)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await page.getByText('not on sale').first().waitFor()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('only here').first().waitFor()
    await close()
  })

  test('finds a vendor by typing', async () => {
    const { page, close } = await open('/operator')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.fill('restin')
    await page.getByRole('option', { name: /resting/ }).waitFor()
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'resting' }).waitFor()
    await close()
  })

  test('is told by the overview of a vendor in trouble, and goes to its list', async () => {
    const { page, close } = await open('/operator')
    const need = page.getByRole('listitem').filter({ hasText: 'second' })
    await need.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor()
    await close()
  })

  test('has a bill of two files checked, reads why it differs, and saves its days', async () => {
    const { page, faults, close } = await open('/operator/bills')
    await page.getByLabel('Whose bill').first().press('ArrowDown')
    await page.getByRole('option', { name: 'second' }).click()
    await page.keyboard.press('Escape')
    const month = await page.getByLabel('Month').inputValue()
    const head = 'day,model,calls,amount\n'
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`${head}${text}`),
    })
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('first.csv', `${month}-01,small,40,2.5\n`),
        file('second.csv', `${month}-02,large,3,1.25\n`),
      ])
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('It does not agree: it differs by more than 1%.').waitFor()
    await page.getByText('Billed, and never routed to this vendor.').first().waitFor()
    await look(page, 'bill-checked', usual)
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download days (CSV)' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`bill-second-${month}.csv`)
    const lines = (await Bun.file(await saved.path()).text()).split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toStartWith(`${month}-01,small,`)
    expect(faults).toEqual([])
    await close()
  })

  test('is told why a file is no bill', async () => {
    const { page, close } = await open('/operator/bills', { ...usual, language: 'fa', width: 390 })
    await page.getByLabel('صورت‌حساب چه کسی').first().press('ArrowDown')
    await page.getByRole('option', { name: 'second' }).click()
    await page.keyboard.press('Escape')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('\u0000') }])
    await page.getByRole('button', { name: 'بررسی', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await look(page, 'bill-unread', { ...usual, language: 'fa', width: 390 })
    await close()
  })
})
