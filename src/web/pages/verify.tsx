import { Badge, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { readMeAgain, useMe } from '../me'
import { useNumbers } from '../numbers'
import { Failed } from '../parts/failed'
import { IdentityForm } from '../parts/account/identity-form'
import { PageHead } from '../parts/page-head'

type Asked = NonNullable<Awaited<ReturnType<typeof api.verification.get>>['data']>
type Last = NonNullable<Asked['last']>

/** Page of the account holder's verification: the form, and its outcome. */
export function Verify() {
  const t = useTranslations('verify')
  const queries = useQueryClient()
  const asked = useQuery({
    queryKey: ['verification'],
    queryFn: () => ask(api.verification.get()),
  })
  const me = useMe()
  const isOwner = me.data?.account.role === 'owner'
  const sent = async () => {
    await queries.invalidateQueries({ queryKey: ['verification'] })
    await readMeAgain()
  }
  return (
    <Stack gap="lg">
      <PageHead
        title={t('title')}
        // Nothing is left to be said once it is done.
        {...(asked.data?.verified === true ? {} : { lead: t('lead') })}
      />
      <Failed error={asked.error} onRetry={() => void asked.refetch()} />
      {asked.data === undefined ? (
        !asked.isError && <Skeleton h={320} />
      ) : (
        <Shown asked={asked.data} isOwner={isOwner} onSent={sent} />
      )}
    </Stack>
  )
}

interface ShownProps {
  readonly asked: Asked
  readonly isOwner: boolean
  readonly onSent: () => Promise<void>
}

function Shown({ asked: { verified, last }, isOwner, onSent }: ShownProps) {
  const t = useTranslations('verify')
  if (verified) return <State title={t('done')} lead={t('doneLead')} colour="firuze" />
  if (!isOwner) return <State title={t('title')} lead={t('ownerOnly')} colour="gray" />
  if (last?.state === 'submitted') return <Waiting last={last} />
  return (
    <>
      {last?.state === 'rejected' && <Rejected last={last} />}
      <IdentityForm isAgain={last !== null} onSent={onSent} />
    </>
  )
}

interface StateProps {
  readonly title: string
  readonly lead: string
  readonly colour: string
  readonly last?: Last
}

function State({ title, lead, colour, last }: StateProps) {
  const { digits } = useNumbers()
  return (
    <section className="card panel" role="status">
      <Badge variant="light" tt="none" color={colour}>
        {title}
      </Badge>
      <Text mt="sm">{lead}</Text>
      {last !== undefined && last.national_code !== null && (
        <Title order={2} fz="sm" fw={400} className="soft" mt="sm">
          <bdi>{`${last.first_name} ${last.last_name}`}</bdi> ·{' '}
          <bdi dir="ltr" className="number">
            {digits(last.national_code)}
          </bdi>
        </Title>
      )}
    </section>
  )
}

function Waiting({ last }: { readonly last: Last }) {
  const t = useTranslations('verify')
  const { moment } = useNumbers()
  const lead = t('waitsLead', { when: moment(last.submitted) })
  return <State title={t('waits')} lead={lead} colour="saffron" last={last} />
}

function Rejected({ last: { reason } }: { readonly last: Last }) {
  const t = useTranslations('verify')
  const lead =
    reason === 'mismatch' ? t('mismatch') : t('reason', { reason: `\u2068${reason ?? '–'}\u2069` })
  return <State title={t('rejected')} lead={lead} colour="red" />
}
