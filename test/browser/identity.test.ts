import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/domain/clock'
import { maskPhone, parsePhone } from '../../src/domain/phone'
import { openSessions } from '../../src/business/users/sessions'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openVisitor, printedCodes } from '../console/visitor'
import { closeBrowser, settled, visit, type Looks, type Visit } from '../support/browser'
import { bothWays, lookInAll, shots } from '../support/browser-suite'
import { addDeviceLock } from '../support/device-lock'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'
import { drawnOf } from '../support/campaigns'

let serving: Serving
/** A name, not an address: browsers have no passkeys at addresses. */
let origin = ''
let data = ''

beforeAll(async () => {
  data = temporaryFolder()
  const port = await freePort()
  origin = `http://localhost:${port}`
  serving = await serve(['--data', data, '--port', String(port)], {
    CHAPAR_URL: origin,
    CHAPAR_DEMO: '1',
  })
  if (shots !== null) mkdirSync(shots, { recursive: true })
})

afterAll(async () => {
  await closeBrowser()
  serving.kill('SIGTERM')
  await serving.exited
  rmSync(data, { recursive: true, force: true })
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/**
 * Somebody who is signed in, as by a code an hour ago: whoever was just sent one waits for the next.
 * @returns the token of their session
 */
async function tokenOf(phone: string): Promise<string> {
  const parsed = parsePhone(phone)
  if (parsed === null) throw new Error('no phone')
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  try {
    const names = { account: maskPhone(parsed), project: 'Project 1' }
    const who = await storage.people.begin(parsed, names)
    const { sessions: store, pepper } = storage
    const sessions = openSessions({
      store,
      clock: systemClock,
      pepper,
      limits: () => ({ idleMs: 3_600_000, lifeMs: 3_600_000 }),
    })
    return await sessions.begin(who, { address: '203.0.113.7', agent: 'Firefox/140 Linux' })
  } finally {
    await storage.close()
  }
}

const send = async (token: string, method: string, path: string, body?: object) =>
  (await fetch(`${origin}/app/api${path}`, {
    method,
    headers: { cookie: `chapar=${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then((reply) => reply.json())) as never

async function visitAs(token: string | null, looks: Looks): Promise<Visit> {
  const opened = await visit(origin, looks)
  if (token !== null)
    await opened.context.addCookies([{ name: 'chapar', value: token, url: origin }])
  return opened
}

/** In its own looks, and in those with the other scheme and width. */
const look = async (page: Page, name: string, looks: Looks): Promise<void> =>
  await lookInAll(page, name, bothWays(looks))

const words = {
  fa: {
    members: 'اعضا',
    invite: 'دعوت',
    inviteNow: 'دعوت کن',
    phone: 'شمارهٔ موبایل',
    accept: 'می‌پذیرم',
    add: 'گذرکلید تازه',
    create: 'ساخت گذرکلید',
    name: 'نام گذرکلید',
    enter: 'ورود با گذرکلید',
    change: 'عوض کردن شماره',
    home: 'خانه',
    settings: 'تنظیمات',
    sister: 'ورود با \u2068Barid\u2069',
  },
  en: {
    members: 'Members',
    invite: 'Invite',
    inviteNow: 'Invite',
    phone: 'Mobile number',
    accept: 'Accept',
    add: 'Add a passkey',
    create: 'Create passkey',
    name: 'Name of the passkey',
    enter: 'Sign in with a passkey',
    change: 'Change number',
    home: 'Home',
    settings: 'Settings',
    sister: 'Sign in with \u2068Barid\u2069',
  },
} as const

const looks = [
  { language: 'fa', scheme: 'dark', width: 390 },
  { language: 'en', scheme: 'light', width: 1280 },
] as const
const phoneOf = (kind: number, look: Looks) =>
  `0912${kind}00000${looks.findIndex((each) => each === look)}`

interface Ided {
  readonly id: number
}

describe('people of an account', () => {
  test.each(drawnOf(looks))(
    'are invited, accept, make keys, and the owner sees who: $language, $scheme, $width',
    async (each) => {
      const t = words[each.language]
      const owner = await tokenOf(phoneOf(1, each))
      const guestPhone = phoneOf(2, each)
      const { page, faults, close } = await visitAs(owner, each)
      await page.goto(`${origin}/app/members`)
      await page.getByRole('button', { name: t.invite }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.phone).waitFor()
      await look(page, 'invite', each)
      await page.keyboard.type(guestPhone)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { level: 2 }).waitFor()
      await look(page, 'members-asked', each)

      const guest = await tokenOf(guestPhone)
      const theirs = await visitAs(guest, each)
      await theirs.page.goto(`${origin}/app`)
      await theirs.page.getByRole('button', { name: t.accept, exact: true }).waitFor()
      await look(theirs.page, 'invited', each)
      await theirs.page.getByRole('button', { name: t.accept, exact: true }).click()
      await theirs.page
        .getByRole('button', { name: t.accept, exact: true })
        .waitFor({ state: 'hidden' })
      const { data: projects } = (await send(guest, 'GET', '/projects')) as { data: Ided[] }
      await send(guest, 'POST', '/keys', { project: projects[0]?.id, name: 'robot' })
      await theirs.page.goto(`${origin}/app/members`)
      await theirs.page.getByRole('heading', { name: t.members, level: 1 }).waitFor()
      await look(theirs.page, 'members-as-member', each)
      expect(await theirs.page.getByRole('button', { name: t.invite }).count()).toBe(0)

      await page.goto(`${origin}/app/keys`)
      const row = page.getByRole('link', { name: /robot/ })
      await row.waitFor()
      const shown = (await row.textContent()) ?? ''
      expect(latin(shown)).toContain(`0912 ··· ${guestPhone.slice(-4)}`)
      await look(page, 'keys-of-members', each)
      await row.click()
      await page.getByRole('heading', { name: 'robot', level: 1 }).waitFor()
      await look(page, 'key-of-member', each)
      expect([...faults, ...theirs.faults]).toEqual([])
      await Promise.all([close(), theirs.close()])
    },
  )
})

const latin = (text: string): string =>
  text.replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))

describe('a passkey', () => {
  test.each(drawnOf(looks))(
    'is registered, and signs in again: $language, $scheme, $width',
    async (each) => {
      const t = words[each.language]
      const { page, context, faults, close } = await visitAs(await tokenOf(phoneOf(3, each)), each)
      await addDeviceLock(context, page)
      await page.goto(`${origin}/app/settings`)
      await page.getByRole('button', { name: t.add }).click()
      const name = page.getByLabel(t.name)
      await name.waitFor()
      await look(page, 'passkey-new', each)
      await name.fill('Key of my laptop')
      await page.getByRole('dialog').getByRole('button', { name: t.create }).click()
      await page.getByText('Key of my laptop').waitFor()
      await look(page, 'settings-passkey', each)
      await page.evaluate(() => fetch('/app/api/session', { method: 'DELETE' }).then(() => null))

      await page.goto(`${origin}/app`)
      await page.getByRole('button', { name: t.enter }).waitFor()
      await look(page, 'sign-in-ways', each)
      await page.getByRole('button', { name: t.enter }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
      expect(
        await page.evaluate(() => fetch('/app/api/sessions').then((reply) => reply.json())),
      ).toMatchObject([{ current: true, way: 'passkey' }])
      expect(faults).toEqual([])
      await close()
    },
  )

  test('cancelled on the device says so, and signs in nobody', async () => {
    const [, each] = looks
    const { page, context, faults, close } = await visitAs(null, each)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    await page.goto(`${origin}/app`)
    await page.getByRole('button', { name: words.en.enter }).click()
    await page.getByText('The passkey was not used').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('is not offered at a bare address: settings says why', async () => {
    const [, each] = looks
    const bare = await serve(['--ephemeral'])
    const at = new URL(bare.url).origin
    const visitor = openVisitor(bare)
    await visitor.signIn('09123456789')
    const { page, context, faults, close } = await visit(at, each)
    await page.goto(`${at}/app`)
    await page.getByLabel(words.en.phone).waitFor()
    await settled(page)
    expect(await page.getByRole('button', { name: words.en.enter }).count()).toBe(0)
    const value = visitor.cookie().replace('chapar=', '')
    await context.addCookies([{ name: 'chapar', value, url: at }])
    await page.goto(`${at}/app/settings`)
    await page.getByText('Passkeys need a secure address').waitFor()
    expect(faults).toEqual([])
    await close()
    bare.kill('SIGTERM')
    await bare.exited
  })
})

describe('a ticket of the sister service', () => {
  const secret = 'a secret of thirty-two characters or more'
  let sister: ReturnType<typeof Bun.spawn>
  let sisterUrl = ''
  let folder = ''

  beforeAll(async () => {
    folder = temporaryFolder()
    // The sample of the guide, as somebody copies it.
    const guide = readFileSync(join(import.meta.dir, '../../src/guide/en/sign-in.md'), 'utf8')
    const [, sample = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
    writeFileSync(join(folder, 'sister.mjs'), sample)
    const port = await freePort()
    sisterUrl = `http://127.0.0.1:${port}/chapar`
    sister = Bun.spawn(['node', join(folder, 'sister.mjs')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        SISTER_SECRET: secret,
        CHAPAR_URL: origin,
      },
    })
    for (let tries = 0; tries < 200; tries++) {
      if (
        await fetch(sisterUrl).then(
          () => true,
          () => false,
        )
      )
        break
      await Bun.sleep(25)
    }
    const args = ['sister', 'set', '--name', 'Barid', '--sign-in-url', sisterUrl, '--secret-stdin']
    const set = await run(args, { data, stdin: `${secret}\n`, env: { CHAPAR_URL: origin } })
    expect(set.stderr + set.stdout).toContain(`${origin}/app/sister#ticket=`)
    expect(set.code).toBe(0)
  })
  afterAll(async () => {
    sister.kill()
    await sister.exited
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(drawnOf(looks))('signs in: $language, $scheme, $width', async (each) => {
    const t = words[each.language]
    const { page, faults, close } = await visitAs(null, each)
    await page.goto(`${origin}/app`)
    await page.getByRole('link', { name: t.sister }).waitFor()
    await look(page, 'sign-in-sister', each)
    await page.getByRole('link', { name: t.sister }).click()
    await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
    expect(page.url()).toBe(`${origin}/app/`)
    // A link of the sister's own leads to the page that it names.
    await page.goto(`${origin}/app/sister?to=/settings`)
    await page.getByRole('heading', { name: t.settings, level: 1 }).waitFor()
    expect(page.url()).toBe(`${origin}/app/settings`)
    await look(page, 'settings-sister', each)
    const elsewhere = faults.filter((fault) => !fault.startsWith(`another host: ${sisterUrl}`))
    expect(elsewhere).toEqual([])
    await close()
  })

  test('that is wrong is refused with a way on', async () => {
    const [each] = looks
    const { page, close } = await visitAs(null, each)
    await page.goto(`${origin}/app/sister#ticket=a.b.c`)
    await page.getByRole('alert').waitFor()
    expect(page.url()).toBe(`${origin}/app/sister`)
    await look(page, 'sister-refused', each)
    await page.getByRole('link').click()
    await page.getByLabel(words.fa.phone).waitFor()
    await close()
  })
})

describe('a change of number', () => {
  test.each(drawnOf(looks))(
    'takes codes of both, and signs out: $language, $scheme, $width',
    async (each) => {
      const [old, fresh] = [phoneOf(5, each), phoneOf(6, each)]
      const { page, faults, close } = await visitAs(await tokenOf(old), each)
      await page.goto(`${origin}/app/settings`)
      await page.getByRole('button', { name: words[each.language].change }).click()
      const fields = page.getByRole('dialog').getByRole('textbox')
      await fields.waitFor()
      await look(page, 'phone-change', each)
      await page.keyboard.type(fresh)
      const before = serving.logs().length
      await page.keyboard.press('Enter')
      await page.locator('.in-terminal').waitFor()
      await look(page, 'phone-codes', each)
      const [oldCode, code] = printedCodes(serving.logs().slice(before))
      const [first, second] = [fields.nth(0), fields.nth(1)]
      await first.fill(oldCode ?? '')
      await second.fill(code === '000000' ? '000001' : '000000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await second.fill(code ?? '')
      await page.keyboard.press('Enter')
      await page.getByLabel(words[each.language].phone, { exact: true }).waitFor()
      expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([])
      await close()
    },
  )
})
