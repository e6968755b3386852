import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/domain/clock'
import { maskPhone, parsePhone } from '../../src/domain/phone'
import { openSessions, type SessionOrigin } from '../../src/business/users/sessions'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { closeBrowser, visit, type Looks } from '../support/browser'
import { bothWays, lookInAll, shots } from '../support/browser-suite'
import { addDeviceLock } from '../support/device-lock'
import { openListener } from '../support/listener'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'
import { drawnOf } from '../support/campaigns'

let serving: Serving
let origin = ''
let data = ''
let provider: ReturnType<typeof openListener>
/** Codes that were sent, by number. */
const codes = new Map<string, string>()

beforeAll(async () => {
  data = temporaryFolder()
  const port = await freePort()
  // A name, not an address: browsers have no passkeys at addresses.
  origin = `http://localhost:${port}`
  serving = await serve(['--data', data, '--port', String(port)], { CHAPAR_URL: origin })
  provider = openListener(({ bytes }) => {
    const { to, code } = JSON.parse(bytes.toString()) as { to: string; code: string }
    codes.set(to, code)
    return new Response(null, { status: 204 })
  })
  const set = ['sms', 'set', 'main', '--provider', 'webhook', '--option', `url=${provider.url}`]
  const body = ['--option', 'body={"to":"{local}","code":"{code}"}']
  const { code, stderr } = await run([...set, ...body], { data })
  expect([code, stderr]).toEqual([0, ''])
  if (shots !== null) mkdirSync(shots, { recursive: true })
})

afterAll(async () => {
  await closeBrowser()
  serving.kill('SIGTERM')
  await serving.exited
  await provider.close()
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
 * Somebody who is signed in.
 * @param way by a ticket of the sister service nobody has proven anything yet
 * @returns the token of their session
 */
async function tokenOf(phone: string, way: SessionOrigin['way']): Promise<string> {
  const parsed = parsePhone(phone) ?? expect.unreachable()
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  try {
    const names = { account: maskPhone(parsed), project: 'Project 1' }
    const who = await storage.people.begin(parsed, names)
    const { sessions: store, pepper } = storage
    const limits = () => ({ idleMs: 3_600_000, lifeMs: 3_600_000 })
    const sessions = openSessions({ store, clock: systemClock, pepper, limits })
    const visitor = { address: '203.0.113.7', agent: 'Firefox/140 Linux' }
    return await sessions.begin(who, visitor, { way, passkey: null })
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

async function visitAs(token: string, looks: Looks) {
  const opened = await visit(origin, looks)
  await opened.context.addCookies([{ name: 'chapar', value: token, url: origin }])
  return opened
}

const words = {
  fa: {
    add: 'گذرکلید تازه',
    create: 'ساخت گذرکلید',
    name: 'نام گذرکلید',
    proof: 'تأیید کنید که خودتان هستید',
    byCode: 'ارسال کد به',
    byPasskey: 'تأیید با گذرکلید',
    notProven: 'چیزی عوض نشد',
    close: 'بستن',
    removePasskey: 'حذف My laptop',
    remove: 'حذف',
    actions: 'کارهای',
    removeMember: 'برداشتن از حساب',
    leave: 'ترک حساب',
    keep: 'بمانند',
    revoke: 'باطل شوند',
    members: 'اعضا',
  },
  en: {
    add: 'Add a passkey',
    create: 'Create passkey',
    name: 'Name of the passkey',
    proof: 'Confirm that it is you',
    byCode: 'Text a code to',
    byPasskey: 'Confirm with a passkey',
    notProven: 'Nothing was changed',
    close: 'Close',
    removePasskey: 'Remove My laptop',
    remove: 'Remove',
    actions: 'Actions for',
    removeMember: 'Remove from account',
    leave: 'Leave account',
    keep: 'Keep them',
    revoke: 'Revoke them',
    members: 'Members',
  },
} as const

const looks = [
  { language: 'fa', scheme: 'dark', width: 390 },
  { language: 'en', scheme: 'light', width: 1280 },
] as const
const phoneOf = (kind: number, each: Looks) =>
  `0912${kind}10000${looks.findIndex((one) => one === each)}`
const look = async (page: Page, name: string, each: Looks): Promise<void> =>
  await lookInAll(page, name, bothWays(each))

describe('a session without a fresh proof', () => {
  test.each(drawnOf(looks))(
    'is asked for a code, then for a passkey, and goes on with what it began: $language, $scheme, $width',
    async (each) => {
      const t = words[each.language]
      const phone = phoneOf(1, each)
      const { page, context, faults, close } = await visitAs(await tokenOf(phone, 'sister'), each)
      await addDeviceLock(context, page)
      await page.goto(`${origin}/app/settings`)
      await page.getByRole('button', { name: t.add }).click()
      await page.getByLabel(t.name).fill('My laptop')
      const naming = page.getByRole('dialog').getByRole('button', { name: t.create })
      await naming.click()
      const proof = page.getByRole('dialog', { name: t.proof })
      await proof.getByRole('button', { name: t.byCode }).waitFor()
      await look(page, 'proof', each)
      // Who closes it has changed nothing, and may try again.
      await proof.getByRole('button', { name: t.close }).click()
      await page.getByText(t.notProven).waitFor()
      await naming.click()
      await proof.getByRole('button', { name: t.byCode }).click()
      await proof.getByRole('textbox').first().waitFor()
      await look(page, 'proof-code', each)
      await proof.getByRole('textbox').first().focus()
      await page.keyboard.type(codes.get(phone) ?? '')
      await page.getByRole('button', { name: t.removePasskey }).waitFor()
      await proof.waitFor({ state: 'hidden' })

      await context.addCookies([
        { name: 'chapar', value: await tokenOf(phone, 'sister'), url: origin },
      ])
      await page.getByRole('button', { name: t.removePasskey }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await proof.getByRole('button', { name: t.byPasskey }).waitFor()
      await look(page, 'proof-passkey', each)
      await proof.getByRole('button', { name: t.byPasskey }).click()
      await page.getByRole('button', { name: t.removePasskey }).waitFor({ state: 'hidden' })
      expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
      await close()
    },
  )
})

describe('who dismisses a member or leaves', () => {
  test.each(drawnOf(looks))(
    'sees what they made, and says what becomes of it: $language, $scheme, $width',
    async (each) => {
      const t = words[each.language]
      const [owner, guest] = [
        await tokenOf(phoneOf(2, each), 'code'),
        await tokenOf(phoneOf(3, each), 'code'),
      ]
      const invited = { phone: phoneOf(3, each), role: 'owner' }
      await send(owner, 'POST', '/members/invitations', invited)
      const { invitations } = (await send(guest, 'GET', '/me')) as { invitations: { id: number }[] }
      await send(guest, 'POST', `/invitations/${invitations[0]?.id}/accept`)
      const { data: projects } = (await send(guest, 'GET', '/projects')) as {
        data: { id: number }[]
      }
      for (const name of ['robot of the shop', 'laptop'])
        await send(guest, 'POST', '/keys', { project: projects[0]?.id, name })
      await send(guest, 'PUT', '/notice-ways/webhook', { url: 'https://hooks.example.com/x' })

      const theirs = await visitAs(guest, each)
      await theirs.page.goto(`${origin}/app/members`)
      await theirs.page.getByRole('button', { name: t.actions }).last().click()
      await theirs.page.getByRole('menuitem', { name: t.leave }).click()
      await theirs.page.getByRole('radio', { name: t.revoke }).waitFor()
      await look(theirs.page, 'member-leaves', each)
      await theirs.close()

      const { page, faults, close } = await visitAs(owner, each)
      await page.goto(`${origin}/app/members`)
      await page.getByRole('button', { name: t.actions }).last().click()
      await page.getByRole('menuitem', { name: t.removeMember }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('radio', { name: t.revoke }).isChecked()).toBe(true)
      await dialog.getByText('robot of the shop').waitFor()
      await look(page, 'member-removed', each)
      await dialog.getByRole('button', { name: t.removeMember }).click()
      await dialog.waitFor({ state: 'hidden' })
      const { data: keys } = (await send(owner, 'GET', '/keys')) as { data: object[] }
      expect(keys).toEqual([])
      await page.goto(`${origin}/app/notices`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(page, 'notices-security', each)
      expect(faults).toEqual([])
      await close()
    },
  )
})
