import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { ApproveProposals } from './approve-proposals'
import { CheckNow, LastCheck } from './price-check'
import { PricesPage } from './prices-page'
import { type Proposal, readPricesAgain } from './model-detail'
import { ProposalRow } from './proposal-row'

/** Price changes that wait for a decision. */
export function Proposals() {
  const t = useTranslations('proposals')
  const may = useMay()
  const proposals = useQuery({
    queryKey: ['op', 'proposals'],
    queryFn: () => operate('GET /price-proposals', {}),
  })
  const all = proposals.data?.data
  return (
    <PricesPage>
      <PageHead title={t('title')} lead={t('lead')}>
        {may('owner') && <CheckNow />}
      </PageHead>
      <LastCheck />
      <Failed error={proposals.error} onRetry={() => void proposals.refetch()} />
      {all === undefined ? (
        !proposals.isError && <Skeleton h={280} radius="lg" />
      ) : all.length === 0 ? (
        <section className="card">
          <Empty icon={IconScale} title={t('none')} lead={t('noneLead')} />
        </section>
      ) : (
        <Waiting proposals={all} />
      )}
    </PricesPage>
  )
}

/** Proposals, some of which can be chosen. */
function Waiting({ proposals }: { readonly proposals: readonly Proposal[] }) {
  const t = useTranslations('proposals')
  const { count } = useNumbers()
  const may = useMay()
  const isOwner = may('owner')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asking, setRequesting] = useState<'approve' | 'reject' | null>(null)
  const close = () => setRequesting(null)
  /** Some may have been decided meanwhile. */
  const ids = proposals.flatMap(({ id }) => (chosen.has(id) ? id : []))
  const isAll = ids.length === proposals.length
  const shown = { count: ids.length, shown: count(ids.length) }
  const set = (id: number, is: boolean) =>
    setChosen(new Set(is ? [...ids, id] : ids.filter((each) => each !== id)))
  const reject = async () => {
    await operate('POST /price-proposals/rejections', { body: { ids } })
    await readPricesAgain()
  }
  return (
    <section className="card">
      <ul className="list">
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <ProposalRow
              proposal={proposal}
              isChosen={chosen.has(proposal.id)}
              onChoose={isOwner ? (is) => set(proposal.id, is) : null}
            />
          </li>
        ))}
      </ul>
      {isOwner && (
        <div className={ids.length > 0 ? 'decisions sticky' : 'decisions'}>
          <Group justify="space-between">
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => setChosen(new Set(isAll ? [] : proposals.map(({ id }) => id)))}
              >
                {t(isAll ? 'chooseNone' : 'chooseAll')}
              </Button>
              <Text size="sm" className="soft" role="status">
                {t('chosen', shown)}
              </Text>
            </Group>
            <Group gap="xs">
              <Button
                variant="default"
                disabled={ids.length === 0}
                onClick={() => setRequesting('reject')}
              >
                {t('reject')}
              </Button>
              <Button disabled={ids.length === 0} onClick={() => setRequesting('approve')}>
                {t('approve')}
              </Button>
            </Group>
          </Group>
        </div>
      )}
      {asking === 'approve' && <ApproveProposals ids={ids} onClose={close} />}
      {asking === 'reject' && (
        <Confirm
          title={t('reject')}
          lead={t('rejectLead', shown)}
          action={t('reject')}
          work={reject}
          onClose={close}
        />
      )}
    </section>
  )
}
