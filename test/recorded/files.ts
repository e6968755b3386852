/** Files that commands name, by `@name`. */
export const recordedFiles: Readonly<Record<string, string>> = {
  'bill.csv': `day,model,amount,calls
2025-09-01,acme-large,0.01,3
2025-09-02,acme-large,0.5,1
2025-09-01,acme-unknown,1,2
`,
  'broken.csv': 'day,model,amount\n2025-09-01,acme-large\n',
  'prices.json': JSON.stringify({
    'groq/llama-large': {
      litellm_provider: 'groq',
      mode: 'chat',
      input_cost_per_token: 0.000002,
      output_cost_per_token: 0.000012,
    },
    'groq/llama-small': {
      litellm_provider: 'groq',
      mode: 'chat',
      input_cost_per_token: 0.0000005,
      output_cost_per_token: 0.000001,
    },
  }),
}
