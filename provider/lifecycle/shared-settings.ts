/** A process has read settings that no explicit provider has: their fingerprints by name. */
export interface SettingsRead {
  readonly event: "settingsRead";
  readonly settings: Readonly<Record<string, string>>;
}

/** The settings that the processes of one run have read, by the entries of its ledger. */
export class SharedSettings {
  private isShared = false;
  /** By name, the first fingerprint. */
  private readonly fingerprints = new Map<string, string>();
  /** The names of settings of which two processes have different values. */
  private readonly differing = new Set<string>();

  constructor(private readonly append: (entry: SettingsRead) => void) {}

  /**
   * Shares the settings of this process once. Returns the names of those of which two processes have different values: of
   * two processes, the later one learns it.
   */
  share(settings: SettingsRead["settings"]): ReadonlySet<string> {
    if (!this.isShared) this.append({ event: "settingsRead", settings });
    this.isShared = true;
    return this.differing;
  }

  /** Takes what any process of the run has read, this one included. */
  replay({ settings }: SettingsRead): void {
    for (const [name, fingerprint] of Object.entries(settings)) {
      const first = this.fingerprints.get(name) ?? fingerprint;
      this.fingerprints.set(name, first);
      if (first !== fingerprint) this.differing.add(name);
    }
  }
}
