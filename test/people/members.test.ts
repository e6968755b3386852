import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { InvitationId } from '../../src/domain/ids'
import { mayChangeKey } from '../../src/business/users/members'
import type { Membership } from '../../src/business/users/user'
import { openDesk, phone, phoneNumber, refusalOf } from './desk'

let desk: ReturnType<typeof openDesk>
let owner: Membership
beforeEach(async () => {
  desk = openDesk()
  owner = await begin(phone)
})
afterEach(() => desk.close())

const names = { account: 'shop', project: 'Project 1' }
const begin = async (number: typeof phone): Promise<Membership> => {
  const { person, account, role } = await desk.storage.people.begin(number, names)
  return { person, account, role }
}
/** Somebody who was invited and has accepted. */
const join = async (number: number, role: 'owner' | 'member'): Promise<Membership> => {
  const { person } = await begin(phoneNumber(number))
  const { id } = await desk.members.invite(owner, phoneNumber(number), role)
  return await desk.members.accept(person, id)
}
const roles = async () =>
  (await desk.members.list(owner)).map(({ person, role }) => [person as number, role])
const dayMs = 86_400_000

describe('an invitation', () => {
  test('is seen by whoever has the number, and joins them once they accept', async () => {
    const guest = await begin(phoneNumber(1))
    await desk.members.invite(owner, '۰۹۱۲۰۰۰۰۰۰۱', 'member')
    const [asked] = await desk.members.invitationsTo(guest.person)
    expect(asked).toMatchObject({ accountName: 'shop', byPhone: phone, role: 'member' })
    if (asked === undefined) throw new Error('there is no invitation')
    expect(await desk.members.accept(guest.person, asked.id)).toEqual({
      person: guest.person,
      account: owner.account,
      role: 'member',
    })
    expect(await desk.members.invitations(owner)).toEqual([])
    expect(await refusalOf(desk.members.accept(guest.person, asked.id))).toEqual({
      code: 'invitation_over',
    })
  })

  test('is nobody else’s to answer or to see', async () => {
    const { id } = await desk.members.invite(owner, phoneNumber(1), 'owner')
    const stranger = await begin(phoneNumber(2))
    expect(await desk.members.invitationsTo(stranger.person)).toEqual([])
    const over = { code: 'invitation_over' }
    expect(await refusalOf(desk.members.accept(stranger.person, id))).toEqual(over)
    expect(await refusalOf(desk.members.decline(stranger.person, id))).toEqual(over)
    // An owner elsewhere withdraws nothing here.
    expect(await refusalOf(desk.members.withdraw(stranger, id))).toEqual(over)
    expect(await desk.members.invitations(owner)).toHaveLength(1)
  })

  test('can be declined and withdrawn, and is over after two weeks', async () => {
    const guest = await begin(phoneNumber(1))
    const ask = () => desk.members.invite(owner, phoneNumber(1), 'member')
    await desk.members.decline(guest.person, (await ask()).id)
    await desk.members.withdraw(owner, (await ask()).id)
    expect(await desk.members.invitationsTo(guest.person)).toEqual([])
    const { id } = await ask()
    desk.pass(14 * dayMs)
    expect(await desk.members.invitationsTo(guest.person)).toEqual([])
    expect(await refusalOf(desk.members.accept(guest.person, id))).toEqual({
      code: 'invitation_over',
    })
  })

  test('takes the place of an earlier one, and no role from whoever is in', async () => {
    const first = await desk.members.invite(owner, phoneNumber(1), 'member')
    const second = await desk.members.invite(owner, phoneNumber(1), 'owner')
    expect(second).toMatchObject({ id: first.id, role: 'owner' })
    expect(await desk.members.invitations(owner)).toHaveLength(1)
    expect(await refusalOf(desk.members.invite(owner, phone, 'member'))).toEqual({
      code: 'already_member',
    })
  })

  test('is an owner’s to make, a hundred at most', async () => {
    const member = await join(1, 'member')
    expect(await refusalOf(desk.members.invite(member, phoneNumber(2), 'member'))).toEqual({
      code: 'owners_only',
    })
    expect(await refusalOf(desk.members.invite(owner, '123', 'member'))).toEqual({
      code: 'phone_invalid',
    })
    for (let number = 2; number < 100; number++)
      await desk.members.invite(owner, phoneNumber(number), 'member')
    expect(await refusalOf(desk.members.invite(owner, phoneNumber(100), 'member'))).toEqual({
      code: 'too_many_members',
      max: 100,
    })
  })

  test('and its answer are in the trail, phones masked', async () => {
    await join(1, 'member')
    const lines = await desk.storage.trail.list({ subject: null, before: null, max: 2 })
    expect(lines.map(({ who, what, subject, after }) => ({ who, what, subject, after }))).toEqual([
      {
        who: 'person:2',
        what: 'member.set',
        subject: 'person:2',
        after: { account: owner.account, role: 'member', invited_by: owner.person },
      },
      {
        who: 'person:1',
        what: 'member.invite',
        subject: `account:${owner.account}`,
        after: { phone: '0912 ··· 0001', role: 'member' },
      },
    ])
  })
})

describe('people of an account', () => {
  test('have an owner at all times', async () => {
    const last = { code: 'last_owner' }
    expect(await refusalOf(desk.members.remove(owner, owner.person, 'keep'))).toEqual(last)
    expect(await refusalOf(desk.members.setRole(owner, owner.person, 'member'))).toEqual(last)
    const second = await join(1, 'owner')
    await desk.members.remove(second, owner.person, 'keep')
    expect(await refusalOf(desk.members.remove(second, second.person, 'keep'))).toEqual(last)
  })

  test('of two owners who leave at once one stays', async () => {
    const second = await join(1, 'owner')
    const codes = await Promise.all(
      [owner, second].map((each) => refusalOf(desk.members.remove(each, each.person, 'keep'))),
    )
    expect(codes).toEqual([null, { code: 'last_owner' }])
    expect(await roles()).toEqual([[second.person, 'owner']])
  })

  test('can leave, and are dismissed by owners alone; their sessions of it end', async () => {
    const { sessions, members } = desk
    const [one, two] = [await join(1, 'member'), await join(2, 'member')]
    const token = await sessions.begin(one, { address: '127.0.0.1', agent: '' })
    expect(await refusalOf(members.remove(two, one.person, 'keep'))).toEqual({
      code: 'owners_only',
    })
    await members.remove(owner, one.person, 'keep')
    expect(await sessions.find(token)).toBeNull()
    await members.remove(two, two.person, 'keep')
    expect(await roles()).toEqual([[owner.person, 'owner']])
    expect(await refusalOf(members.remove(owner, two.person, 'keep'))).toEqual({
      code: 'not_member',
    })
  })

  test('change roles by owners, and an account is handed over whole', async () => {
    const { members } = desk
    const member = await join(1, 'member')
    expect(await refusalOf(members.setRole(member, member.person, 'owner'))).toEqual({
      code: 'owners_only',
    })
    await members.transfer(owner, member.person)
    expect(await roles()).toEqual([
      [owner.person, 'member'],
      [member.person, 'owner'],
    ])
    // The role of now counts, not the one that a page was opened with.
    expect(await refusalOf(members.transfer(owner, member.person))).toEqual({ code: 'not_member' })
  })

  test('a member changes the keys that they made', () => {
    const member: Membership = { ...owner, role: 'member' }
    expect(mayChangeKey(member, member.person)).toBe(true)
    expect(mayChangeKey(member, null)).toBe(false)
    expect(mayChangeKey(owner, null)).toBe(true)
  })
})

test('an invitation that is not there is over', async () => {
  const none = 999 as InvitationId
  expect(await refusalOf(desk.members.withdraw(owner, none))).toEqual({ code: 'invitation_over' })
})
