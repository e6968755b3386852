import {
  Anchor,
  Badge,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from '@mantine/core'
import { IconId } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { DeskRow } from '../parts/desk-row'
import { FormDialog } from '../../parts/form-dialog'

type Verification = Result<'GET /verifications'>['data'][number]
type Shown = 'all' | Verification['state']

const shownStates: readonly Shown[] = ['submitted', 'approved', 'rejected', 'all']
const colours = { submitted: 'saffron', approved: 'firuze', rejected: 'red' } as const
const maxOnPage = 50

const readQueueAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })

/** Page of verification requests that wait for a decision. */
export function VerificationQueue() {
  const t = useTranslations('verifications')
  const [shown, setShown] = useState<Shown>('submitted')
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <SegmentedControl
        className="desk-filter"
        value={shown}
        onChange={setShown}
        aria-label={t('state')}
        data={shownStates.map((value) => ({ value, label: t(value) }))}
      />
      <PagedList<Verification, string>
        queryKey={['op', 'verifications', shown]}
        read={(before) =>
          operate('GET /verifications', {
            query: {
              max: maxOnPage,
              ...(shown === 'all' ? {} : { state: shown }),
              ...(before === undefined ? {} : { before }),
            },
          })
        }
        keyOf={({ account }) => account}
        row={(verification) => <VerificationRow verification={verification} />}
        empty={<Empty icon={IconId} title={t('none')} lead={t('noneLead')} />}
      />
    </Stack>
  )
}

function VerificationRow({ verification }: { readonly verification: Verification }) {
  const t = useTranslations('verifications')
  const { digits, date, moment } = useNumbers()
  const { account, state, reason } = verification
  return (
    <DeskRow
      below={
        reason !== null && (
          <Text size="sm" className="soft" mt={6}>
            {t('because', { reason: reason === 'mismatch' ? t('mismatch') : reason })}
          </Text>
        )
      }
    >
      <div>
        <Text size="sm" fw={600}>
          <bdi>
            {verification.first_name === null
              ? t('forgotten')
              : `${verification.first_name} ${verification.last_name ?? ''}`}
          </bdi>
        </Text>
        <Anchor component={Link} href={`/operator/accounts/${account}`} size="sm">
          <bdi>{verification.account_name}</bdi>
        </Anchor>
      </div>
      <div>
        <NationalCode verification={verification} />
        <Text size="sm" className="soft number" dir="ltr" ta="start">
          {digits(verification.phone ?? '–')}
        </Text>
      </div>
      <div>
        <Text size="sm" className="number">
          {verification.birth_date === null ? '–' : date(verification.birth_date)}
        </Text>
        <Text size="sm" className="soft number">
          {moment(Date.parse(verification.submitted))}
        </Text>
      </div>
      <Stack gap={6} align="flex-end">
        <Badge
          variant="light"
          color={colours[state]}
          {...(state === 'submitted' ? { c: 'var(--ink)' } : {})}
          tt="none"
        >
          {t(state)}
        </Badge>
        <Decide verification={verification} />
      </Stack>
    </DeskRow>
  )
}

/** Masked, until somebody must compare it. */
function NationalCode({ verification }: { readonly verification: Verification }) {
  const t = useTranslations('verifications')
  const { digits } = useNumbers()
  const may = useMay()
  const look = useMutation({
    mutationFn: () =>
      operate('POST /verifications/{id}/code', { params: { id: verification.account } }),
  })
  const { national_code: masked } = verification
  if (masked === null) return <Text size="sm">–</Text>
  return (
    <>
      <Group gap="xs">
        <Text size="sm" className="number" dir="ltr">
          {digits(look.data?.national_code ?? masked)}
        </Text>
        {may('staff') && look.data === undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            {t('showCode')}
          </Button>
        )}
      </Group>
      <Failed error={look.error} />
    </>
  )
}

function Decide({ verification }: { readonly verification: Verification }) {
  const t = useTranslations('verifications')
  const may = useMay()
  const [asking, setRequesting] = useState<'approve' | 'reject' | null>(null)
  const { account, account_name: name, state } = verification
  const close = () => setRequesting(null)
  if (!may('staff')) return null
  const approve = async () => {
    await operate('POST /verifications/{id}/approval', { params: { id: account } })
    await readQueueAgain()
  }
  return (
    <Group gap="xs" wrap="nowrap">
      {state !== 'approved' && verification.first_name !== null && (
        <Button size="compact-sm" onClick={() => setRequesting('approve')}>
          {t('approve')}
        </Button>
      )}
      {state !== 'rejected' && (
        <Button size="compact-sm" variant="default" onClick={() => setRequesting('reject')}>
          {t('reject')}
        </Button>
      )}
      {asking === 'approve' && (
        <Confirm
          title={t('approve')}
          lead={t('approveLead', { name })}
          action={t('approve')}
          work={approve}
          onClose={close}
        />
      )}
      {asking === 'reject' && <Reject account={account} onClose={close} />}
    </Group>
  )
}

function Reject({ account, onClose }: { readonly account: number; readonly onClose: () => void }) {
  const t = useTranslations('verifications')
  const [reason, setReason] = useState('')
  const reject = useMutation({
    mutationFn: () =>
      operate('POST /verifications/{id}/rejection', {
        params: { id: account },
        body: { reason },
      }),
    async onSuccess() {
      await readQueueAgain()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('reject')}
      action={t('reject')}
      isReady={!(reason.trim() === '')}
      isDangerous
      saving={reject}
      onClose={onClose}
    >
      <Textarea
        label={t('reason')}
        description={t('reasonLead')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={200}
        required
        withAsterisk={false}
        autosize
        minRows={2}
        data-autofocus
      />
    </FormDialog>
  )
}
