import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Failed } from '../../parts/failed'
import { SpentOf } from '../../parts/money/spent-of'
import { useMay } from '../me'
import { operate } from '../operate'
import { readAccountAgain, type Account } from './account'
import { AccountLimits } from './limits'
import { MoveMoney } from './move-money'
import { Panel, PartTitle, Soft } from '../../parts/panel'

/** Goes to the pages of the account as its owner sees them. */
async function look(id: number): Promise<void> {
  const { url } = await operate('POST /accounts/{id}/look', { params: { id } })
  location.assign(url)
}

type Asking = 'suspend' | 'verify' | 'topup' | 'adjust' | 'limits' | 'look' | null

/** State of an account, and an operator's actions on it. */
export function AccountOverview({ account }: { readonly account: Account }) {
  const t = useTranslations('account')
  const { usd } = useNumbers()
  return (
    <Stack gap="lg">
      <section className="card panel" aria-labelledby="money">
        <Group justify="space-between" align="flex-start">
          <div>
            <PartTitle id="money">{t('balance')}</PartTitle>
            <Text className="balance number">{usd(account.balance_usd)}</Text>
            {account.group !== null && (
              <Soft>
                {t('inGroup')}{' '}
                <Anchor component={Link} href={`/operator/groups/${account.group}`} size="sm">
                  <bdi>{account.group_name}</bdi>
                </Anchor>
              </Soft>
            )}
          </div>
          <Actions account={account} />
        </Group>
      </section>
      <Caps caps={account.caps} />
      <People account={account} />
    </Stack>
  )
}

function Actions({ account }: { readonly account: Account }) {
  const t = useTranslations('account')
  const may = useMay()
  const [asking, setRequesting] = useState<Asking>(null)
  const close = () => setRequesting(null)
  const { id, status, verified, people } = account
  const set = async (body: { status?: 'active' | 'suspended'; verified?: boolean }) => {
    await operate('PATCH /accounts/{id}', { params: { id }, body })
    await readAccountAgain()
  }
  if (!may('staff')) return null
  const isOpen = status === 'active'
  const hasOwner = people.some(({ role }) => role === 'owner')
  return (
    <>
      <Group gap="xs">
        <Button onClick={() => setRequesting('topup')}>{t('topup')}</Button>
        <Button variant="default" onClick={() => setRequesting('adjust')}>
          {t('adjust')}
        </Button>
        <Button variant="default" onClick={() => setRequesting('limits')}>
          {t('limits')}
        </Button>
        {hasOwner && (
          <Button variant="default" onClick={() => setRequesting('look')}>
            {t('look')}
          </Button>
        )}
        {(verified || may('owner')) && (
          <Button variant="default" onClick={() => setRequesting('verify')}>
            {t(verified ? 'unverify' : 'verify')}
          </Button>
        )}
        <Button
          variant="default"
          {...(isOpen ? { c: 'var(--mantine-color-error)' } : {})}
          onClick={() => setRequesting('suspend')}
        >
          {t(isOpen ? 'suspend' : 'reopen')}
        </Button>
      </Group>
      {!hasOwner && (
        <Text size="sm" className="soft" w="100%">
          {t('lookWithoutOwner')}
        </Text>
      )}
      {(asking === 'topup' || asking === 'adjust') && (
        <MoveMoney account={account} kind={asking} onClose={close} />
      )}
      {asking === 'limits' && <AccountLimits account={account} onClose={close} />}
      {asking === 'suspend' && (
        <Confirm
          title={t(isOpen ? 'suspend' : 'reopen')}
          lead={t(isOpen ? 'suspendLead' : 'reopenLead', { name: account.name })}
          action={t(isOpen ? 'suspend' : 'reopen')}
          isDangerous={isOpen}
          work={() => set({ status: isOpen ? 'suspended' : 'active' })}
          onClose={close}
        />
      )}
      {asking === 'look' && (
        <Confirm
          title={t('look')}
          lead={t('lookLead', { name: account.name })}
          action={t('lookNow')}
          work={() => look(id)}
          onClose={close}
        />
      )}
      {asking === 'verify' && (
        <Confirm
          title={t(verified ? 'unverify' : 'verify')}
          lead={t(verified ? 'unverifyLead' : 'verifyLead', { name: account.name })}
          action={t(verified ? 'unverify' : 'verify')}
          work={() => set({ verified: !verified })}
          onClose={close}
        />
      )}
    </>
  )
}

/** Their texts, by the names that the server has. */
const capTexts = {
  key_spend_limit: 'key_spend_limit',
  project_budget: 'project_budget',
  daily_cap: 'daily_cap',
  verification_ceiling: 'verification_ceiling',
  daily_capacity: 'daily_capacity',
} as const

/** Spending of each cap. */
function Caps({ caps }: { readonly caps: Account['caps'] }) {
  const t = useTranslations('caps')
  return (
    <Panel id="caps" title={t('title')}>
      <div className="facts">
        {caps.map(({ name, spent_usd, limit_usd }) => {
          const label = t(capTexts[name as keyof typeof capTexts])
          return (
            <div key={name}>
              <Soft>{label}</Soft>
              <SpentOf spent={spent_usd} limit={limit_usd} noLimit={t('none')} label={label} />
            </div>
          )
        })}
      </div>
    </Panel>
  )
}

function People({ account }: { readonly account: Account }) {
  const t = useTranslations('account')
  const { digits, date } = useNumbers()
  const may = useMay()
  const look = useMutation({
    mutationFn: () => operate('POST /accounts/{id}/phones', { params: { id: account.id } }),
  })
  const phoneOf = (id: number, masked: string | null) =>
    look.data?.data.find((each) => each.id === id)?.phone ?? masked ?? '–'
  return (
    <Panel
      id="people"
      title={t('people')}
      actions={
        may('staff') &&
        account.people.length > 0 && (
          <Button
            size="xs"
            variant="default"
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            {t('showPhones')}
          </Button>
        )
      }
    >
      <Failed error={look.error} />
      {account.people.length === 0 ? (
        <Text size="sm" className="soft" mt="sm">
          {t('nobody')}
        </Text>
      ) : (
        <ul className="rows">
          {account.people.map(({ id, phone, role, since }) => (
            <li key={id}>
              <Group justify="space-between">
                <Text size="sm" className="number" dir="ltr">
                  {digits(phoneOf(id, phone))}
                </Text>
                <Group gap="sm">
                  <Soft>
                    {t(role)} · {date(since.slice(0, 10))}
                  </Soft>
                  {may('staff') && phone !== null && <Unlock person={id} />}
                </Group>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Lifts what stands for a number at sign-in. */
function Unlock({ person }: { readonly person: number }) {
  const t = useTranslations('account')
  const unlock = useMutation({
    mutationFn: () => operate('POST /people/{id}/unlock', { params: { id: person } }),
  })
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={unlock.isPending}
        onClick={() => unlock.mutate()}
      >
        {t('unlock')}
      </Button>
      {unlock.data !== undefined && (
        <Text size="xs" className="soft" role="status">
          {t('unlocked', unlock.data)}
        </Text>
      )}
      <Failed error={unlock.error} />
    </>
  )
}
