import { Anchor, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { AddVendor } from './add-vendor'
import { isBuiltIn, lastCheckOf, useVendorWords, type Vendor, vendorPath } from './vendor'
import { VendorState } from './vendor-state'
import { Code, Soft } from '../../parts/panel'

const refreshMs = 15_000

/** Page of vendors with their health; those in trouble first. */
export function VendorList() {
  const t = useTranslations('vendors')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const read = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
    refetchInterval: refreshMs,
  })
  const add = may('owner') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        <Group gap="xs">
          {may('staff') && (
            <Button component={Link} href="/operator/bills" variant="default">
              {t('bills')}
            </Button>
          )}
          {add}
        </Group>
      </PageHead>
      <Failed error={read.error} onRetry={() => void read.refetch()} />
      {read.data === undefined ? (
        !read.isError && <Skeleton h={240} radius="lg" aria-hidden="true" />
      ) : read.data.data.length === 0 ? (
        <section className="card">
          <Empty icon={IconServer} title={t('none')} lead={t('noneLead')} />
        </section>
      ) : (
        <section className="card">
          <ul className="list">
            {read.data.data.toSorted(byTrouble).map((vendor) => (
              <li key={vendor.name}>
                <VendorRow vendor={vendor} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isAdding && <AddVendor onClose={() => setAdding(false)} />}
    </Stack>
  )
}

const rank = ({ state, active }: Vendor): number => (!active ? 2 : state === 'ok' ? 1 : 0)

const byTrouble = (a: Vendor, b: Vendor): number => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)

function VendorRow({ vendor }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendors')
  const { moment } = useNumbers()
  const { name, kind, dialect, state, balance, cooling_until: cooling } = vendor
  const words = useVendorWords()
  const checked = lastCheckOf(vendor)
  const failure = vendor.last_failure
  return (
    <div className="list-link still">
      <div className="vendor-row">
        <div className="name">
          <Group gap="xs">
            <Anchor component={Link} href={vendorPath(name)} fw={600} dir="ltr">
              {name}
            </Anchor>
            {isBuiltIn(vendor) && (
              <Badge variant="default" tt="none" size="sm">
                {t('builtin')}
              </Badge>
            )}
          </Group>
          <Code isSoft>{kind === dialect ? kind : `${kind} · ${dialect}`}</Code>
        </div>
        <div className="recent">
          <Recent vendor={vendor} />
        </div>
        <div className="balance">
          <Text size="sm" className="number">
            {balance === null ? (
              <span className="soft">{t('noBalance')}</span>
            ) : (
              t('balance', { amount: words.balance(balance) })
            )}
          </Text>
          {checked !== null && (
            <Text size="xs" className="soft number">
              {t('checked', { when: moment(checked) })}
            </Text>
          )}
        </div>
        <Stack gap={4} align="flex-end" className="state">
          <VendorState state={state} />
          {cooling !== null && (
            <Text size="xs" className="soft number" ta="end">
              {words.cooling(cooling)}
            </Text>
          )}
        </Stack>
      </div>
      {state !== 'ok' && failure !== null && (
        <Text size="sm" className="soft" mt={4}>
          {t('lastFailure')}: <Code>{failure.code ?? '–'}</Code>
          {failure.at !== null && ` · ${words.moment(failure.at)}`}
        </Text>
      )}
    </div>
  )
}

/** The last calls to it, in two lines. */
function Recent({ vendor: { recent_calls: recent } }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendors')
  const { count, percent } = useNumbers()
  const { ms } = useVendorWords()
  if (recent === null) return <Soft>{t('noCalls')}</Soft>
  return (
    <>
      <Text size="sm" className="number">
        {t('calls', {
          count: count(recent.calls),
          percent: percent(recent.failed_percent / 100),
        })}
      </Text>
      {recent.p50_ms !== null && (
        <Text size="xs" className="soft number">
          {t('latency', { p50: ms(recent.p50_ms), p95: ms(recent.p95_ms) })}
        </Text>
      )}
    </>
  )
}
