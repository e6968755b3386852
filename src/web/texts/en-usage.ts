import type { faUsage } from './fa-usage'

/** Texts of the page of usage. */
export const enUsage: typeof faUsage = {
  usage: {
    title: 'Usage',
    lead: 'Days are counted by {zone}.',
    by: 'By',
    model: 'Model',
    key: 'Key',
    project: 'Project',
    allProjects: 'All projects',
    empty: 'No requests in this range',
    emptyLead: 'Look at a longer range, or remove the filters.',
    chart: 'Spent per day, in dollars',
    table: 'Usage by group',
    daily: 'Day by day',
    day: 'Day',
    others: 'Others',
    hidden: '{count, plural, one {One more row is} other {# more rows are}} in the CSV file.',
    requests: 'Requests',
    errors: 'Errors',
    input: 'Input tokens',
    output: 'Output tokens',
    tokens: 'Tokens',
    cost: 'Spent',
  },
}
