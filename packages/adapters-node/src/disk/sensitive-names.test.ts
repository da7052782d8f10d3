import { describe, expect, it } from 'vitest';
import { isSensitivePath } from './sensitive-names.ts';

describe('isSensitivePath', () => {
  it.each([
    '.env',
    '.ENV',
    '.env.local',
    '.env.production.local',
    '.envrc',
    'prod.env',
    '.envs/.production/.django',
    'tls/Server.PEM',
    'a.key',
    'AuthKey_X.p8',
    'a.p12',
    'a.pfx',
    'a.jks',
    'debug.keystore',
    'passwords.kdbx',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    'prod.tfvars',
    'id_rsa',
    'id_ed25519',
    'id_ecdsa_sk',
    'id_rsa.old',
    '.npmrc',
    '.netrc',
    '_netrc',
    '.pypirc',
    '.pgpass',
    '.my.cnf',
    '.htpasswd',
    '.vault-token',
    '.git-credentials',
    '.bash_history',
    'service-account.json',
    'service_account_prod.json',
    'serviceAccountKey.json',
    'client_secret_123.apps.json',
    'credentials.json',
    'application_default_credentials.json',
    'secrets.yaml',
    'secret.yml',
    '.aws/credentials',
    '.aws/sso/cache/x.json',
    '.ssh/config',
    '.ssh/known_hosts',
    '.gnupg/private-keys-v1.d/x',
    '.docker/config.json',
    '.kube/config',
    '.config/gcloud/x.db',
    '.config/gh/hosts.yml',
    '.config/gemini-mcp-server/login.json',
    '.gemini/oauth_creds.json',
    '.cargo/credentials.toml',
    '.m2/settings.xml',
    '.git/config',
    'sub/.git/hooks/x',
    '.git',
    'C:\\Users\\x\\.ssh\\config',
  ])('%s looks like a secret', (path) => {
    expect(isSensitivePath(`/home/user/${path}`)).toBe(true);
    expect(isSensitivePath(path.toUpperCase())).toBe(true);
  });

  it.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.local.example',
    'example.env',
    'environment.ts',
    'id_rsa.pub',
    'keys.ts',
    'keyboard.md',
    'monkey',
    'credentials.ts',
    'secrets.md',
    'package.json',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.docker/nginx.conf',
    '.aws/task-definition.json',
    '.config/app.json',
    'git/config',
    'history.ts',
    'openssl.cnf',
    '.envs.md.example',
    'prod.tfvars.example',
    'credentials.json.example',
    '.npmrc.sample',
    '.secrets.baseline',
    '.secretlintrc.json',
    'api.key.ts',
    'auth.json',
    'locales/en/auth.json',
    'settings.json',
    '.vscode/settings.json',
    '.claude/commands/review.md',
    '.codex/prompts/x.md',
    '.cursor/rules/x.mdc',
    '.github/copilot-instructions.md',
    'mcp.ts',
    'mcp-config.ts',
    'notes.txt~',
    'notes.bak',
    'id_rsax',
    'history.ts',
    'kubeconfig.go',
    'shadow.css',
    'tokens.json',
    'oauth.ts',
  ])('%s does not', (path) => {
    expect(isSensitivePath(`/home/user/${path}`)).toBe(false);
  });

  it.each([
    '.mcp.json',
    'mcp.json',
    '.claude.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/.credentials.json',
    'Library/Application Support/Claude/claude_desktop_config.json',
    '.cursor/mcp.json',
    '.vscode/mcp.json',
    '.config/Code/User/mcp.json',
    '.codex/config.toml',
    '.codex/auth.json',
    '.gemini/settings.json',
    '.gemini/google_accounts.json',
    '.gemini/mcp-oauth-tokens-v2.json',
    '.gemini/gemini-credentials.json',
    '.gemini/antigravity/mcp_config.json',
    '.codeium/windsurf/mcp_config.json',
    '.config/zed/settings.json',
    '.zed/settings.json',
    'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    'globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    '.roo/mcp.json',
    '.continue/config.yaml',
    '.continue/mcpServers/x.yaml',
    '.junie/mcp/mcp.json',
    'options/llm.mcpServers.xml',
    '.kiro/settings/mcp.json',
    '.amazonq/mcp.json',
    '.aws/amazonq/mcp.json',
    'opencode.json',
    'opencode.jsonc',
    '.local/share/opencode/auth.json',
    '.config/goose/config.yaml',
    '.config/goose/secrets.yaml',
    '.copilot/mcp-config.json',
    '.config/github-copilot/apps.json',
    '.qwen/oauth_creds.json',
    '.lmstudio/mcp.json',
  ])("%s holds a client's keys (KEYFILE-01)", (path) => {
    expect(isSensitivePath(`/home/user/project/${path}`)).toBe(true);
    expect(isSensitivePath(path.toUpperCase())).toBe(true);
  });

  it.each([
    ...['.env~', '.env.bak', '.env.old', '#.env#', '.env.swp', '.env copy', '.env.gz', '.env.1', 'copy of .env'],
    ...['prod.env.bak', 'server.key.1', 'server.key.bak', '.server.key.swp', 'server.key~', '#server.key#'],
    ...['server.pem.20260101', 'server.key-2026-01-01', 'server copy.key', 'id_rsa~', 'id_rsa.bak', 'id_rsa copy'],
    ...['id_ed25519.gz', 'credentials.json.orig', 'credentials (1).json', 'credentials copy.json'],
    ...['credentials.json~', 'claude_desktop_config.backup.json', '.mcp.json.bak', '.mcp copy.json', 'mcp.json.old'],
    ...['prod.tfvars.json', 'terraform.tfstate.1700000000.backup', 'secrets.yaml.gz', '.npmrc~', '.netrc.save'],
    ...['.aws/credentials.bak', '.codex/auth.json.old', '.docker/config.json~', '.bash_history.1', 'kubeconfig.bak'],
  ])('%s is a copy of a secret (KEYFILE-02)', (path) => {
    expect(isSensitivePath(`/home/user/project/${path}`)).toBe(true);
    expect(isSensitivePath(path.toUpperCase())).toBe(true);
  });

  it.each(['\uff0eenv', '.en\u200bv', '.\u212aube/config', '.\u017fsh/config', 'id_rsa\ufe0f', '.\u{1d41e}nv'])(
    '%j is a secret in any Unicode form (KEYFILE-04)',
    (path) => {
      expect(isSensitivePath(`/home/user/project/${path}`)).toBe(true);
    },
  );

  it("KEYFILE-03: hides everything below a secret's name", () => {
    expect(isSensitivePath('/home/user/project/.env/lib/x.py')).toBe(true);
    expect(isSensitivePath('/home/user/project/x.example/y.ts')).toBe(false);
  });
});
