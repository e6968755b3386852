import { Alert, Anchor, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { useTitle } from '../title'
import { Panel } from '../parts/panel'

/** Home page: balance of the account, its name and verification. */
export function Home({ me }: { readonly me: Me }) {
  const t = useTranslations('home')
  const nav = useTranslations('nav')
  useTitle(nav('home'))
  return (
    <Stack gap="lg">
      <Title order={1}>{nav('home')}</Title>
      {me.account.status === 'suspended' && (
        <Alert color="red" role="status">
          {t('suspended')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Balance account={me.account} />
        <Account me={me} />
      </SimpleGrid>
      <FirstStep />
    </Stack>
  )
}

/** First step of a customer, until there is a key. */
function FirstStep() {
  const t = useTranslations('home')
  const keys = useQuery({
    queryKey: ['keys', 'first'],
    queryFn: () => ask(api.keys.get({ query: { max: 1, revoked: false } })),
  })
  if (keys.data?.data.length !== 0) return null
  return (
    <Panel id="first-step" title={t('firstStep')} lead={t('firstStepLead')}>
      <Group mt="md" gap="md">
        <Button component={Link} href="/keys">
          {t('makeKey')}
        </Button>
        <Anchor href="/docs/start" size="sm">
          {t('guide')}
        </Anchor>
      </Group>
    </Panel>
  )
}

type AccountProps = { readonly account: Me['account'] }

function Balance({ account }: AccountProps) {
  const t = useTranslations('home')
  const nav = useTranslations('nav')
  const { usd } = useNumbers()
  const isHolding = Number(account.held_usd) > 0
  return (
    <section className="card panel" aria-labelledby="balance">
      <Text id="balance" className="eyebrow">
        {t('balance')}
      </Text>
      <div className="balance">{usd(account.balance_usd)}</div>
      {isHolding && (
        <Text size="sm" className="soft number">
          {t('held', { amount: usd(account.held_usd, 4) })}
        </Text>
      )}
      <Group mt="md" gap="md">
        <Button component={Link} href="/credit">
          {nav('credit')}
        </Button>
        <Anchor component={Link} href="/statement" size="sm">
          {nav('statement')}
        </Anchor>
      </Group>
    </section>
  )
}

function Account({ me }: { readonly me: Me }) {
  const t = useTranslations('home')
  const { count, digits } = useNumbers()
  const { account, person } = me
  return (
    <section className="card panel" aria-labelledby="account">
      <Text id="account" className="eyebrow">
        {t('account')}
      </Text>
      <Group justify="space-between" mt={4}>
        <Text fw={650} size="lg">
          <bdi dir="auto">{digits(account.name)}</bdi>
        </Text>
        <Badge variant={account.verified ? 'light' : 'default'} tt="none">
          {t(account.verified ? 'verified' : 'unverified')}
        </Badge>
      </Group>
      <dl className="facts">
        <dt>{t('phone')}</dt>
        <dd>
          <bdi dir="ltr" className="number">
            {digits(person.phone ?? '–')}
          </bdi>
        </dd>
        <dt>{t('role')}</dt>
        <dd>{t(account.role)}</dd>
        <dt>{t('number')}</dt>
        <dd>{count(account.id)}</dd>
      </dl>
    </section>
  )
}
