import { Button, Collapse, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { queries } from '../../queries'
import { plainNumber } from '../../typed'
import { useMay } from '../me'
import { operate } from '../operate'
import { PartTitle, Soft, Code } from '../../parts/panel'
import { Form } from '../../parts/form'

/** Coin rate (coins per dollar): the present one, its form, and its history. */
export function CoinRateCard() {
  const t = useTranslations('coinRate')
  const { moment, decimal } = useNumbers()
  const may = useMay()
  const [isOpen, { toggle }] = useDisclosure(false)
  const rate = useQuery({ queryKey: ['op', 'rate'], queryFn: () => operate('GET /rate', {}) })
  const now = rate.data?.rate
  return (
    <section className="card panel" aria-labelledby="rate">
      <Group justify="space-between" align="flex-start">
        <div>
          <PartTitle id="rate">{t('title')}</PartTitle>
          {rate.data === undefined ? (
            !rate.isError && <Skeleton h={40} w={180} mt={6} />
          ) : now === null || now === undefined ? (
            <Soft>{t('none')}</Soft>
          ) : (
            <>
              <Text fz="xl" fw={650} className="number">
                {t('perDollar', { count: decimal(now.coins_per_usd) })}
              </Text>
              <Text size="sm" className="soft number">
                {t('since', { when: moment(Date.parse(now.valid_from)) })}
              </Text>
            </>
          )}
        </div>
        {may('owner') && <RateForm />}
      </Group>
      <Failed error={rate.error} onRetry={() => void rate.refetch()} />
      <Button size="xs" variant="subtle" mt="sm" aria-expanded={isOpen} onClick={toggle}>
        {t('history')}
      </Button>
      <Collapse expanded={isOpen}>{isOpen && <RateHistory />}</Collapse>
    </section>
  )
}

function RateForm() {
  const t = useTranslations('coinRate')
  const [typed, setTyped] = useState('')
  const set = useMutation({
    mutationFn: () => operate('PUT /rate', { body: { coins_per_usd: plainNumber(typed) } }),
    async onSuccess() {
      setTyped('')
      await queries.invalidateQueries({ queryKey: ['op'] })
    },
  })
  return (
    <Form onSubmit={() => set.mutate()}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            label={t('new')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            inputMode="decimal"
            dir="ltr"
          />
          <Button type="submit" loading={set.isPending} disabled={plainNumber(typed) === ''}>
            {t('set')}
          </Button>
        </Group>
        <Failed error={set.error} />
      </Stack>
    </Form>
  )
}

function RateHistory() {
  const { moment, decimal } = useNumbers()
  const history = useQuery({
    queryKey: ['op', 'rate-history'],
    queryFn: () => operate('GET /rate/history', { query: {} }),
  })
  if (history.data === undefined)
    return history.isError ? <Failed error={history.error} /> : <Skeleton h={80} mt="sm" />
  return (
    <ul className="rows">
      {history.data.data.map(({ coins_per_usd, valid_from, by }) => (
        <li key={valid_from}>
          <Group justify="space-between">
            <Text size="sm" className="number">
              {moment(Date.parse(valid_from))}
            </Text>
            <Code isSoft>{by}</Code>
            <Text size="sm" fw={600} className="number">
              {decimal(coins_per_usd)}
            </Text>
          </Group>
        </li>
      ))}
    </ul>
  )
}
