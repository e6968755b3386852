-- Nodes of the release before serve on beside this step: they wait as long as the setting says.
ALTER TABLE "vendors" ADD COLUMN "first_token_timeout_ms" bigint
