import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate } from '../operate'
import { useScope, useTerms, type GroupPage, type GroupRule } from './group-words'
import { RuleForm, type RuleSet } from './rule-form'
import { Panel, Code } from '../../parts/panel'

type Asking =
  | { readonly to: 'set'; readonly rule: GroupRule | null }
  | { readonly to: 'remove'; readonly rule: GroupRule }

/** Price rules of a group. */
export function GroupRules({ group }: { readonly group: GroupPage }) {
  const t = useTranslations('groupRules')
  const may = useMay()
  const scope = useScope()
  const terms = useTerms()
  const [asking, setRequesting] = useState<Asking | null>(null)
  const [set, setSet] = useState<Pick<RuleSet, 'repriced' | 'below_cost'> | null>(null)
  const close = () => setRequesting(null)
  const remove = async ({ kind, name }: GroupRule) => {
    setSet(
      await operate('DELETE /groups/{id}/price-rules', {
        params: { id: group.id },
        body: { kind, name },
      }),
    )
    await queries.invalidateQueries({ queryKey: ['op'] })
  }
  return (
    <Panel
      id="group-rules"
      title={t('title')}
      actions={
        may('owner') && (
          <Button
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => setRequesting({ to: 'set', rule: null })}
          >
            {t('add')}
          </Button>
        )
      }
    >
      <Text size="sm" className="soft" mt={4}>
        {t('lead')}
      </Text>
      {set !== null && <RuleOutcome set={set} />}
      {group.rules.length === 0 ? (
        <Text size="sm" mt="sm">
          {t('none')}
        </Text>
      ) : (
        <ul className="rows">
          {group.rules.map((rule) => (
            <li key={rule.id}>
              <Group justify="space-between">
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {scope(rule)}
                  </Text>
                  <Text size="sm" className="soft number">
                    {terms(rule)}
                  </Text>
                </div>
                {may('owner') && (
                  <Group gap="xs">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${t('changeShort')}: ${scope(rule)}`}
                      onClick={() => setRequesting({ to: 'set', rule })}
                    >
                      {t('changeShort')}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      c="var(--mantine-color-error)"
                      aria-label={`${t('remove')}: ${scope(rule)}`}
                      onClick={() => setRequesting({ to: 'remove', rule })}
                    >
                      {t('remove')}
                    </Button>
                  </Group>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {asking?.to === 'set' && (
        <RuleForm group={group.id} rule={asking.rule} onClose={close} onSet={setSet} />
      )}
      {asking?.to === 'remove' && (
        <Confirm
          title={t('removeTitle')}
          lead={t('removeLead', { scope: scope(asking.rule) })}
          action={t('remove')}
          isDangerous
          work={() => remove(asking.rule)}
          onClose={close}
        />
      )}
    </Panel>
  )
}

/** Effect of a saved rule: moved prices, and those below cost. */
function RuleOutcome({ set }: { readonly set: Pick<RuleSet, 'repriced' | 'below_cost'> }) {
  const t = useTranslations('groupRules')
  const { repriced, below_cost: below } = set
  return (
    <Alert mt="sm" className="notice" role="status">
      <Text size="sm">{t('moved', { count: repriced.length })}</Text>
      {below.length > 0 && (
        <Text size="sm">
          {t('soldBelowCost', { count: below.length })}{' '}
          <Code>
            {below.slice(0, 5).join(', ')}
            {below.length > 5 ? ' …' : ''}
          </Code>
        </Text>
      )}
    </Alert>
  )
}
