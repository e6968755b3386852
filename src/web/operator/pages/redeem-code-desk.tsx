import { Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { NewCodes, readCodesAgain } from '../desk/new-codes'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { DeskRow } from '../parts/desk-row'
import { Code } from '../../parts/panel'

type Code = Result<'GET /codes'>['data'][number]

const colours = { unused: 'firuze', redeemed: 'gray', revoked: 'red', expired: 'gray' } as const
const maxOnPage = 50
const typingMs = 300

/** Page of redeem codes and their states. */
export function RedeemCodeDesk() {
  const t = useTranslations('codes')
  const may = useMay()
  const [typed, setTyped] = useState('')
  const [batch] = useDebouncedValue(typed.trim(), typingMs)
  const [asking, setRequesting] = useState<'make' | 'revoke' | null>(null)
  const close = () => setRequesting(null)
  const revoke = async () => {
    await operate('POST /codes/revocations', { body: { batch } })
    await readCodesAgain()
  }
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {may('staff') && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setRequesting('make')}>
            {t('make')}
          </Button>
        )}
      </PageHead>
      <Group align="flex-end">
        <TextInput
          label={t('batch')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          type="search"
        />
        {batch !== '' && may('staff') && (
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            onClick={() => setRequesting('revoke')}
          >
            {t('revokeBatch')}
          </Button>
        )}
      </Group>
      <PagedList<Code, number>
        queryKey={['op', 'codes', batch]}
        read={(before) =>
          operate('GET /codes', {
            query: {
              max: maxOnPage,
              ...(batch === '' ? {} : { batch }),
              ...(before === undefined ? {} : { before }),
            },
          })
        }
        keyOf={({ id }) => id}
        row={(code) => <CodeRow code={code} />}
        empty={<Empty icon={IconTicket} title={t('none')} lead={t('noneLead')} />}
      />
      {asking === 'make' && <NewCodes onClose={close} />}
      {asking === 'revoke' && (
        <Confirm
          title={t('revokeBatch')}
          lead={t('revokeBatchLead', { batch })}
          action={t('revoke')}
          isDangerous
          work={revoke}
          onClose={close}
        />
      )}
    </Stack>
  )
}

function CodeRow({ code }: { readonly code: Code }) {
  const t = useTranslations('codes')
  const { usd, digits, moment } = useNumbers()
  const may = useMay()
  const [isAsking, setRequesting] = useState(false)
  const revoke = async () => {
    await operate('POST /codes/revocations', { body: { id: code.id } })
    await readCodesAgain()
  }
  return (
    <DeskRow>
      <div>
        <Text size="sm" fw={600} className="number">
          {usd(code.usd)}
        </Text>
        <Text size="sm" className="soft number">
          {t('ending', { digits: digits(code.ending) })}
        </Text>
      </div>
      <div>
        <Text size="sm">
          <bdi>{code.batch}</bdi>
        </Text>
        <Code isSoft>{code.by}</Code>
      </div>
      <div>
        <Text size="sm" className="number">
          {moment(Date.parse(code.redeemed ?? code.created))}
        </Text>
        {code.account === null ? (
          code.expires !== null && (
            <Text size="sm" className="soft number">
              {t('until', { when: moment(Date.parse(code.expires)) })}
            </Text>
          )
        ) : (
          <Anchor component={Link} href={`/operator/accounts/${code.account}`} size="sm">
            {t('account', { id: code.account })}
          </Anchor>
        )}
      </div>
      <Stack gap={6} align="flex-end">
        <Badge variant="light" color={colours[code.state]} tt="none">
          {t(code.state)}
        </Badge>
        {code.state === 'unused' && may('staff') && (
          <Button size="compact-sm" variant="default" onClick={() => setRequesting(true)}>
            {t('revoke')}
          </Button>
        )}
        {isAsking && (
          <Confirm
            title={t('revoke')}
            lead={t('revokeLead', { digits: digits(code.ending) })}
            action={t('revoke')}
            isDangerous
            work={revoke}
            onClose={() => setRequesting(false)}
          />
        )}
      </Stack>
    </DeskRow>
  )
}
