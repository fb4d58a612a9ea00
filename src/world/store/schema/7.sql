-- Whose task it is: the name of the token with which it was started over HTTP. NULL: the user of this machine, who sees all.
ALTER TABLE research_tasks ADD COLUMN principal TEXT;
CREATE INDEX tasks_principal ON research_tasks (principal, created_at DESC) WHERE principal IS NOT NULL;
