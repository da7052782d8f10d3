const keysAndVaults = [
  ...['*.pem', '*.key', '*.p8', '*.p12', '*.pfx', '*.pkcs12', '*.jks', '*.jceks', '*.bks', '*.keystore', '*.ppk'],
  ...['*.kdb', '*.kdbx', '*.psafe3', '*.1pux', '*.keychain', '*.keytab', '*.ovpn', '*.agekey', '*.gpg'],
  ...['*.env', '*.kubeconfig', 'kubeconfig', 'authorized_keys', 'shadow', 'shadow-', 'gshadow', 'gshadow-'],
];

const credentialFiles = [
  ...['.env', '[._]netrc', '[._]npmrc', '[._]pypirc', '[._]pgpass', '[._]dockercfg', '[._]htpasswd', '[._]s3cfg'],
  ...['[._]boto', '[._]rhosts', '[._]vault-token', '[._]vault_pass', '.my.cnf', '.mylogin.cnf', '.git-credentials'],
  ...['.gitconfig', '.dockerconfigjson', '.terraformrc', '.databrickscfg', '.rclone.conf', '.sentryclirc'],
  ...['.smbcredentials', '.msmtprc', '.wgetrc', '.dev.vars', '.secrets', '.cdsapirc', '.renviron'],
  ...['service[-_]account*.json', 'serviceaccount*.json', 'client[-_]secret*.json', 'clientsecret*.json'],
  ...['gha-creds-*.json', 'credentials.json', 'creds.json', '*[-_.]credentials.json', '*[-_.]creds.json'],
  ...['secret.yaml', 'secret.yml', 'secret.json', 'secret.toml', 'secret.ini', 'secret.properties'],
  ...['secrets.yaml', 'secrets.yml', 'secrets.json', 'secrets.toml', 'secrets.ini', 'secrets.properties'],
  ...['kubeconfig.yaml', 'kubeconfig.yml', 'kaggle.json', 'ngrok.yml', 'rclone.conf', 'terraform.rc'],
  ...['local.settings.json', '*.tfstate', '*.tfvars'],
];

/** MCP client configurations, which hold the environment and headers of each server, keys included. */
const clientFiles = [
  ...['.mcp.json', 'mcp.json', 'mcp[-_]config.json', '*mcp_settings.json', 'claude_desktop_config.json'],
  ...['.claude.json', 'llm.mcpservers.xml', '.opencode.json', 'opencode.json', '.crush.json', 'crush.json'],
  ...['.aider.conf'],
];

export const sensitiveList: SensitiveList = {
  beginnings: [...credentialFiles, ...clientFiles],
  words: ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_xmss'],
  names: [...keysAndVaults, '.*history'],
  harmless: [
    ...['*.example', '*.sample', '*.template', 'example.env', 'sample.env', 'template.env'],
    ...['example.tfvars', '*.example.tfvars', 'id_*.pub', '.secrets.baseline'],
  ],
  places: [
    ...['.git', '.ssh', '.gnupg', '.password-store', '.azure', '.kube', '.gemini', '.qwen', '.terraform.d'],
    ...['.config/gcloud', '.config/op', '.config/doctl', '.config/glab-cli', '.config/rclone', '.config/sops'],
    ...['.config/hcloud', '.config/configstore', '.config/stripe', '.config/github-copilot', '.config/goose'],
    ...['.config/opencode', '.config/crush', '.config/amp', '.config/pip', '.config/hub', '.cloudflared', '.ngrok2'],
    '.config/gemini-mcp-server',
    ...['.local/share/opencode', '.local/share/amp', '.local/share/crush', '.local/share/goose'],
    ...['.aws/sso', '.aws/cli', '.aws/amazonq', '.codex/sessions', '.claude/projects', '.continue/mcpservers'],
  ],
  files: [
    ...['.config/gh/hosts.yml', '.config/composer/auth.json', '.composer/auth.json', '.config/containers/auth.json'],
    ...['.config/zed/settings.json', '.zed/settings.json', '.aws/credentials', '.aws/config', '.docker/config.json'],
    ...['.cargo/credentials', '.m2/settings', '.gradle/gradle.properties', '.bundle/config', '.gem/credentials'],
    ...['.oci/config', '.fly/config.yml', '.huggingface/token', '.cache/huggingface/token', '.dbt/profiles.yml'],
    ...['.snowsql/config', '.pip/pip.conf', '.codex/config', '.codex/auth', '.claude/settings'],
    ...['.claude/.credentials', '.continue/config', '.copilot/config', '.copilot/mcp', '.augment/session'],
    ...['.factory/auth', '.factory/settings'],
  ],
};

/** Suffixes that editors, backups, rotations and file managers append to the name of a copy. */
const copyEndings = [
  ...['[~ (#]*', '[._-]ba[ck]*', '[._-]o[lr][di]*', '[._-]copy*', '.sav*', '.sw[a-p]', '[._-][0-9]*'],
  ...['.[gxbz][zis]*', '.t[agm][rzp]*'],
];

/** Texts that they insert before the extension: `credentials (1).json`. */
const copyInsertions = ['[ (]*', '[._-]ba[ck]*', '[._-]o[lr][di]*', '[._-]copy*', '[._-]20[0-9]*'];

const mayHide = anyOf(telltalesOf(sensitiveList).map(sourceOf));
const shows = anyOf(sensitiveList.harmless.map((pattern) => `^${sourceOf(pattern)}$`));
const places = anyOf([
  ...sensitiveList.places.map((path) => `/${sourceOf(path)}(?:/|$)`),
  ...sensitiveList.files.map((path) => `/${sourceOf(path)}`),
]);

/** Built for the first name that may match: that takes 4 ms, which would delay the start of a server. */
let hides: RegExp | undefined;

/** Invisible characters, which some file systems ignore when they compare names (CVE-2014-9390). */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

const printableAscii = /^[ -~]*$/;

/** A walk queries many files of one directory. */
let lastDirectory = { path: '', isSensitive: false };

/**
 * Whether the names in a path (its own and those of its parents) suggest that it holds secrets, regardless of case and Unicode form.
 * `sensitiveList` defines the names.
 *
 * Not promised: a secret under an ordinary name is not found.
 */
export function isSensitivePath(path: string): boolean {
  const normal = `/${normalise(path)}`;
  const end = normal.lastIndexOf('/');
  return isSensitiveDirectory(normal.slice(0, end)) || isSensitiveEntry(normal, normal.slice(end + 1));
}

function isSensitiveDirectory(path: string): boolean {
  if (path !== lastDirectory.path) {
    lastDirectory = { path, isSensitive: path.split('/').some(isSensitiveName) || isInPlace(path) };
  }
  return lastDirectory.isSensitive;
}

function isSensitiveEntry(path: string, name: string): boolean {
  return isSensitiveName(name) || isInPlace(path);
}

function isSensitiveName(name: string): boolean {
  return mayHide.test(name) && isHidden(name) && !shows.test(name);
}

function isHidden(name: string): boolean {
  hides ??= anyOf(namePatternsOf(sensitiveList).map((pattern) => `^${sourceOf(pattern)}$`));
  return hides.test(name);
}

/** Every path in the list contains a hidden directory, and few files lie in one. */
function isInPlace(path: string): boolean {
  return path.includes('/.') && places.test(path);
}

function normalise(path: string): string {
  const plain = printableAscii.test(path) ? path : path.normalize('NFKC').replace(unseen, '');
  return plain.replaceAll('\\', '/').toLowerCase();
}

/** A pattern of the list as regular expression source. */
function sourceOf(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]|[^a-z0-9/]/g, (token) => {
    switch (token) {
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      default:
        return token.startsWith('[') ? token.replace('[!', '[^/') : `\\${token}`;
    }
  });
}

/** One expression runs much faster than hundreds. */
function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(sources.map((source) => `(?:${source})`).join('|'));
}

/**
 * The names that suggest secrets, as data. Both the matcher `isSensitivePath` and the ignore file for the Gemini CLI are built from this
 * list. Patterns are in lower case and support `*` (any characters within one name), `?`, `[abc]` and `[!abc]`.
 *
 * A matching name hides a file or a directory, with everything below it.
 */
type SensitiveList = {
  /** Every name with one of these prefixes is a secret or a copy of one: `.env`, `.env.local`, `.env~`, `.env copy`. */
  readonly beginnings: readonly string[];
  /** Prefixes too, but not before a further letter: `id_rsa.old` is a copy, `id_rsax` is not. */
  readonly words: readonly string[];
  /** Whole names. Their copies match too, but not every name with this prefix: `x.key` is a secret, `x.key.ts` is not. */
  readonly names: readonly string[];
  /** Names that match one of the patterns above but hold no secret. */
  readonly harmless: readonly string[];
  /** Paths of directories and files, at any depth. `harmless` makes no exceptions here or in `files`. */
  readonly places: readonly string[];
  /** Directories with a name prefix in them, so that copies match. */
  readonly files: readonly string[];
};

/** All name patterns, including those of copies. */
function namePatternsOf({ beginnings, words, names }: SensitiveList): readonly string[] {
  return [
    ...beginnings.flatMap((name) => [`${name}*`, ...insertedCopies(name), ...prefixedCopies(name)]),
    ...words.flatMap((name) => [name, `${name}[!a-z]*`, ...prefixedCopies(name)]),
    ...names.flatMap((name) => [name, ...copyEndings.map((ending) => name + ending), ...prefixedCopies(name)]),
  ];
}

/** `#.env#`, `copy of .env`. A name that begins with `*` matches them already. */
function prefixedCopies(name: string): readonly string[] {
  return name.startsWith('*') ? [] : [`*[# ]${name}*`];
}

function insertedCopies(name: string): readonly string[] {
  const { stem, ending } = splitEnding(name);
  return ending === '' ? [] : copyInsertions.map((copy) => stem + copy + ending);
}

/** The ending is empty if a copy cannot be inserted before it, or if a `*` matches the insertion already. */
function splitEnding(name: string): { readonly stem: string; readonly ending: string } {
  const [, stem = name, ending = ''] = /^([^*]+)(\.[a-z0-9]+)$/.exec(name) ?? [];
  return { stem, ending };
}

/**
 * For each pattern, a text that every matching name must contain. Most names contain none of these texts and need no comparison with the
 * patterns.
 */
function telltalesOf({ beginnings, words, names }: SensitiveList): readonly string[] {
  return [...new Set([...beginnings, ...words, ...names].map(telltaleOf))];
}

function telltaleOf(pattern: string): string {
  const literals = splitEnding(pattern).stem.split(/\[[^\]]*\]|\*/);
  return literals.reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '');
}
