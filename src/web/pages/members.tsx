import { ActionIcon, Badge, Button, Group, Menu, Skeleton, Stack, Text } from '@mantine/core'
import { IconDots, IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { changeAccount, readMeAgain, type Me } from '../me'
import { useNumbers } from '../numbers'
import { Confirm } from '../parts/confirm'
import { Failed } from '../parts/failed'
import { InviteDialog } from '../parts/account/invite-dialog'
import { PageHead } from '../parts/page-head'
import { RemoveMember } from '../parts/account/remove-member'
import { queries } from '../queries'
import { Panel, Soft } from '../parts/panel'

type People = NonNullable<Awaited<ReturnType<typeof api.members.get>>['data']>
type Member = People['data'][number]
type Invitation = People['invitations'][number]

const membersKey = ['members'] as const
const readAgain = () => queries.invalidateQueries({ queryKey: membersKey })

/** Page of the account's members and invitations. */
export function Members({ me }: { readonly me: Me }) {
  const t = useTranslations('members')
  const [isInviting, setInviting] = useState(false)
  const all = useQuery({ queryKey: membersKey, queryFn: () => ask(api.members.get()) })
  const isOwner = me.account.role === 'owner'
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {isOwner && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )}
      </PageHead>
      <Failed error={all.error} />
      {all.data === undefined ? (
        <Skeleton h={120} radius="lg" />
      ) : (
        <>
          <section className="card panel" aria-label={t('title')}>
            <ul className="rows flush">
              {all.data.data.map((member) => (
                <MemberRow key={member.person} member={member} isOwner={isOwner} />
              ))}
            </ul>
          </section>
          {all.data.invitations.length > 0 && <Asked invitations={all.data.invitations} />}
        </>
      )}
      {isInviting && <InviteDialog onInvited={readAgain} onClose={() => setInviting(false)} />}
    </Stack>
  )
}

type Asking = 'transfer' | 'remove' | 'leave'

interface MemberRowProps {
  readonly member: Member
  /** Whoever looks at it. */
  readonly isOwner: boolean
}

function MemberRow({ member, isOwner }: MemberRowProps) {
  const t = useTranslations('members')
  const home = useTranslations('home')
  const { dayOf, digits, moment } = useNumbers()
  const [asking, setRequesting] = useState<Asking | null>(null)
  const { person, is_you: isYou, role, phone_moves_at: moveAt } = member
  const name = member.phone === null ? t('noPhone') : digits(member.phone)
  const handOver = async () => {
    await ask(api.members({ person }).transfer.post())
    await Promise.all([readAgain(), readMeAgain()])
  }
  const isolated = `\u2066${name}\u2069`
  const setRole = useMutation({
    mutationFn: (next: Member['role']) => ask(api.members({ person }).patch({ role: next })),
    onSuccess: () => Promise.all([readAgain(), readMeAgain()]),
  })
  return (
    <li>
      <Group justify="space-between" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              <bdi dir="ltr" className="number">
                {name}
              </bdi>
            </Text>
            {isYou && (
              <Badge variant="light" tt="none">
                {t('you')}
              </Badge>
            )}
          </Group>
          <Soft>
            {home(role)} · {t('since', { day: dayOf(member.since) })}
          </Soft>
        </div>
        {(isOwner || isYou) && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('actions', { name })}
              >
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {isOwner && role === 'member' && (
                <Menu.Item onClick={() => setRole.mutate('owner')}>{t('makeOwner')}</Menu.Item>
              )}
              {isOwner && role === 'owner' && (
                <Menu.Item onClick={() => setRole.mutate('member')}>{t('makeMember')}</Menu.Item>
              )}
              {isOwner && !isYou && (
                <>
                  <Menu.Item onClick={() => setRequesting('transfer')}>{t('transfer')}</Menu.Item>
                  <Menu.Item color="red" onClick={() => setRequesting('remove')}>
                    {t('remove')}
                  </Menu.Item>
                </>
              )}
              {isYou && (
                <Menu.Item color="red" onClick={() => setRequesting('leave')}>
                  {t('leave')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {moveAt !== null && (
        <Text size="sm" className="notice moving">
          {t('moving', { when: moment(moveAt) })}
        </Text>
      )}
      <Failed error={setRole.error} />
      {asking === 'transfer' && (
        <Confirm
          title={t('transferTitle')}
          lead={t('transferLead', { name: isolated })}
          action={t('transfer')}
          work={handOver}
          onClose={() => setRequesting(null)}
        />
      )}
      {(asking === 'remove' || asking === 'leave') && (
        <RemoveMember
          person={person}
          name={isolated}
          isYou={asking === 'leave'}
          onRemoved={asking === 'leave' ? changeAccount : readAgain}
          onClose={() => setRequesting(null)}
        />
      )}
    </li>
  )
}

function Asked({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const t = useTranslations('members')
  const home = useTranslations('home')
  const { dayOf, digits } = useNumbers()
  const withdraw = useMutation({
    mutationFn: (id: number) => ask(api.members.invitations({ id }).delete()),
    onSuccess: readAgain,
  })
  return (
    <Panel id="asked" title={t('asked')}>
      <Failed error={withdraw.error} />
      <ul className="rows">
        {invitations.map(({ id, phone, role, expires }) => (
          <li key={id}>
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm" fw={550}>
                  <bdi dir="ltr" className="number">
                    {digits(phone)}
                  </bdi>
                </Text>
                <Soft>
                  {home(role)} · {t('expires', { day: dayOf(expires) })}
                </Soft>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={t('withdrawOf', { phone: `\u2066${digits(phone)}\u2069` })}
                loading={withdraw.isPending && withdraw.variables === id}
                onClick={() => withdraw.mutate(id)}
              >
                {t('withdraw')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
