import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AccountId, PersonId } from '../../src/domain/ids'
import { planPhoneMove } from '../../src/business/users/phone-changes'
import { openDesk, phone, phoneNumber, refusalOf } from './desk'
import { atMachine } from '../support/requesters'

let desk: ReturnType<typeof openDesk>
beforeEach(() => void (desk = openDesk()))
afterEach(() => desk.close())

const names = { account: '0912 ··· 6789', project: 'Project 1' }

describe('a first sign-in', () => {
  test('makes one unverified account with one project, however many tabs', async () => {
    const { people, directory } = desk.storage
    const tabs = await Promise.all(Array.from({ length: 8 }, () => people.begin(phone, names)))
    expect(tabs.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(tabs.map(({ account }) => account)).size).toBe(1)
    expect(await directory.listAccounts()).toMatchObject([{ name: names.account, verified: false }])
    expect(await directory.listProjects()).toMatchObject([{ name: 'Project 1' }])
  })

  test('is in the trail, with the phone masked', async () => {
    const { people, trail } = desk.storage
    const { person, account } = await people.begin(phone, names)
    const lines = await trail.list({ subject: null, before: null, max: 10 })
    expect(lines.toReversed().map(({ who, what, subject }) => [who, what, subject])).toEqual([
      [`person:${person}`, 'person.create', `person:${person}`],
      [`person:${person}`, 'account.create', `account:${account}`],
      [`person:${person}`, 'project.create', 'project:1'],
      [`person:${person}`, 'member.set', `person:${person}`],
    ])
    expect(JSON.stringify(lines)).not.toContain('345')
  })

  test('joins nothing: whoever is invited is asked first', async () => {
    const { people, memberships } = desk.storage
    const owner = await people.begin(phone, names)
    await desk.members.invite(owner, phoneNumber(1), 'member')
    const guest = await people.begin(phoneNumber(1), names)
    expect(guest).toMatchObject({ role: 'owner', isNew: true })
    expect(guest.account).not.toBe(owner.account)
    expect(await memberships.members(owner.account)).toHaveLength(1)
  })
})

test('a key says who made it', async () => {
  const { people, directory } = desk.storage
  const { person, account } = await people.begin(phone, names)
  const project = (await directory.listProjects(account))[0]?.id
  if (project === undefined) throw new Error('there is no project')
  const made = { project, name: 'laptop', prefix: 'sk-x' }
  const own = await directory.createKey({ ...made, madeBy: person }, 'ab'.repeat(32))
  const other = await directory.createKey(made, 'cd'.repeat(32))
  expect([own.madeBy, other.madeBy]).toEqual([person, null])
})

describe('a session', () => {
  const visitor = { address: '10.0.0.1', agent: 'a browser' }
  const dayMs = 86_400_000

  test('holds for a week from the last visit', async () => {
    const { storage, sessions, pass } = desk
    const who = await storage.people.begin(phone, names)
    const token = await sessions.begin(who, visitor)
    pass(6 * dayMs)
    expect(await sessions.find(token)).toMatchObject({ ...visitor, person: who.person })
    pass(6 * dayMs)
    expect(await sessions.find(token)).not.toBeNull()
    pass(7 * dayMs)
    expect(await sessions.find(token)).toBeNull()
  })

  test('writes a visit once an hour', async () => {
    const { storage, sessions, pass } = desk
    const token = await sessions.begin(await storage.people.begin(phone, names), visitor)
    const first = await sessions.find(token)
    pass(3_599_000)
    expect((await sessions.find(token))?.seen).toBe(first?.seen)
    pass(1000)
    await sessions.find(token)
    expect((await sessions.find(token))?.seen).toBeGreaterThan(first?.seen ?? Infinity)
  })

  test('is not in the database in clear', async () => {
    const { storage, sessions } = desk
    const who = await storage.people.begin(phone, names)
    const token = await sessions.begin(who, visitor)
    const [kept] = await storage.sessions.list(who.person, desk.clock.now())
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  test('ends everywhere at once, and that is in the trail', async () => {
    const { storage, sessions } = desk
    const who = await storage.people.begin(phone, names)
    const tokens = [await sessions.begin(who, visitor), await sessions.begin(who, visitor)]
    expect(await sessions.endAll(who.person)).toBe(2)
    for (const token of tokens) expect(await sessions.find(token)).toBeNull()
    const [line] = await storage.trail.list({ subject: null, before: null, max: 1 })
    expect(line).toMatchObject({ what: 'session.end_all', after: { sessions: 2 } })
  })

  test('is nothing without its person', async () => {
    const { sessions } = desk
    const nobody = { person: 9 as PersonId, account: 9 as AccountId, role: 'owner' } as const
    expect(sessions.begin(nobody, visitor)).rejects.toThrow(/foreign key/i)
    expect(await sessions.find('x')).toBeNull()
  })
})

describe('a number that an operator moves', () => {
  const dayMs = 86_400_000
  const visitor = { address: '10.0.0.1', agent: '' }

  test('is the new one after a day: sessions end, and the account stays', async () => {
    const { storage, sessions, clock, pass } = desk
    const who = await storage.people.begin(phone, names)
    const token = await sessions.begin(who, visitor)
    const moves = storage.by('command:ali').phoneMoves
    await planPhoneMove(
      { store: moves, requester: atMachine, now: clock.now() },
      { person: who.person, phone: phoneNumber(1) },
    )
    pass(dayMs - 1)
    expect(await sessions.find(token)).not.toBeNull()
    expect(await storage.people.find(who.person)).toMatchObject({ phone })
    pass(1)
    expect(await sessions.find(token)).toBeNull()
    expect(await storage.people.begin(phoneNumber(1), names)).toMatchObject({
      account: who.account,
      isNew: false,
    })
    const lines = await storage.trail.list({
      subject: `person:${who.person}`,
      before: null,
      max: 10,
    })
    expect(lines[0]).toMatchObject({
      who: 'command:ali',
      what: 'person.set_phone',
      before: { phone: '0912 ··· 6789' },
      after: { phone: '0912 ··· 0001' },
    })
  })

  test('withdraws open invitations by the person, and tells of members who came by earlier ones', async () => {
    const { storage, members, clock, pass } = desk
    const owner = await storage.people.begin(phone, names)
    const guests = [1, 2, 3].map(phoneNumber)
    const invited = []
    for (const guest of guests) {
      const { person } = await storage.people.begin(guest, names)
      invited.push({ person, id: (await members.invite(owner, guest, 'owner')).id })
    }
    const [first, second, third] = invited
    if (first === undefined || second === undefined || third === undefined) throw new Error()
    await members.accept(first.person, first.id)
    const moves = storage.by('operator:sara').phoneMoves
    expect(await moves.left(owner.person, clock.now())).toEqual({
      email: null,
      webhooks: [],
      invitations: guests
        .slice(1)
        .map((guest) => ({ account: owner.account, phone: guest, role: 'owner' })),
      members: [
        { person: first.person, phone: phoneNumber(1), account: owner.account, role: 'owner' },
      ],
    })
    await moves.plan({ person: owner.person, phone: null, due: clock.now() })
    const over = { code: 'invitation_over' }
    // Due, and not settled yet; then settled by whoever signs in next.
    expect(await members.invitationsTo(second.person)).toEqual([])
    expect(await refusalOf(members.accept(second.person, second.id))).toEqual(over)
    await storage.people.begin(phoneNumber(4), names)
    pass(1)
    expect(await refusalOf(members.accept(third.person, third.id))).toEqual(over)
    expect((await moves.left(owner.person, clock.now())).invitations).toEqual([])
    const lines = await storage.trail.list({
      subject: `account:${owner.account}`,
      before: null,
      max: 2,
    })
    expect(lines.map(({ who, what }) => [who, what])).toEqual([
      ['operator:sara', 'member.withdraw_invitation'],
      ['operator:sara', 'member.withdraw_invitation'],
    ])
  })

  test('taken away, makes an account of its own for whoever has it now', async () => {
    const { storage, clock, pass } = desk
    const who = await storage.people.begin(phone, names)
    const { phoneMoves } = storage.by('command:ali')
    await planPhoneMove(
      { store: phoneMoves, requester: atMachine, now: clock.now() },
      { person: who.person, phone: null },
    )
    pass(dayMs)
    const other = await storage.people.begin(phone, names)
    expect(other).toMatchObject({ isNew: true })
    expect(other.account).not.toBe(who.account)
    expect(await storage.people.find(who.person)).toMatchObject({ phone: null })
  })

  test('stays where the person objects', async () => {
    const { storage, clock, pass } = desk
    const who = await storage.people.begin(phone, names)
    const { phoneMoves } = storage.by('command:ali')
    await planPhoneMove(
      { store: phoneMoves, requester: atMachine, now: clock.now() },
      { person: who.person, phone: phoneNumber(1) },
    )
    expect(await storage.by(`person:${who.person}`).phoneMoves.cancel(who.person)).toBe(true)
    pass(dayMs)
    expect(await storage.people.begin(phone, names)).toMatchObject({ account: who.account })
  })

  test('is refused where there is no such person, or somebody else has it', async () => {
    const { storage, clock } = desk
    const who = await storage.people.begin(phone, names)
    await storage.people.begin(phoneNumber(1), names)
    const { phoneMoves } = storage
    const plan = (person: PersonId) =>
      planPhoneMove(
        { store: phoneMoves, requester: atMachine, now: clock.now() },
        { person, phone: phoneNumber(1) },
      )
    expect(plan(who.person)).rejects.toMatchObject({ code: 'phone_taken' })
    expect(plan(99 as PersonId)).rejects.toMatchObject({ code: 'person_not_found' })
  })
})
