/** Bellboard's websocket commands, each as one method. They reject with Home Assistant's error. */

import type { Hass, Unsubscribe } from "../ha";
import type {
  Agent,
  Assistant,
  Changes,
  Choices,
  ConnectionHealth,
  Evaluation,
  EvaluationEvent,
  Habit,
  Lesson,
  Line,
  Meant,
  Planned,
  Policies,
  PoliciesChecked,
  Reading,
  Sentence,
  Trial,
  Turn,
  User,
  Verdict,
} from "./models";

export type TurnsEvent = { turns: Line[] } | { turn: Line };

export interface PolicyCall {
  action: string;
  entity_ids: string[];
  data: Record<string, unknown>;
  user_id?: string | null;
  area_id?: string | null;
}

export interface Spoken {
  conversation_id: string | null;
  response: { speech?: { plain?: { speech?: string } } };
}

const PANEL = "bellboard/panel/";

export class Api {
  constructor(private readonly hass: () => Hass) {}

  async assistants(): Promise<Assistant[]> {
    return (await this.ask<{ assistants: Assistant[] }>("assistants")).assistants;
  }

  /** Sends the turns that are kept and each new one. Who subscribes again after a lost connection is up to the caller. */
  watchTurns(callback: (event: TurnsEvent) => void): Promise<Unsubscribe> {
    return this.watch("turns", {}, callback);
  }

  turn(turn_id: string): Promise<Turn> {
    return this.ask("turn", { turn_id });
  }

  read(sentence: Sentence): Promise<Reading> {
    return this.ask("read", { ...sentence });
  }

  try(sentence: Sentence, changes: Changes = {}): Promise<Trial> {
    return this.ask("try", { ...sentence, ...changes });
  }

  /** Says a sentence for real: what it asks for is done. */
  say(text: string, entity_id: string, language: string, device_id?: string): Promise<Spoken> {
    return this.hass().callWS({
      type: "conversation/process",
      text,
      language,
      agent_id: entity_id,
      ...(device_id ? { device_id } : {}),
    });
  }

  choices(assistant: string): Promise<Choices> {
    return this.ask("choices", { assistant });
  }

  mark(turn_id: string): Promise<void> {
    return this.ask("correct/mark", { turn_id });
  }

  /** Keeps a decision, where that is wished in all assistants; returns how many keep it. */
  async learn(turn_id: string, meant: Meant, for_all: boolean): Promise<number> {
    const fields = { turn_id, for_all, ...meant };
    return (await this.ask<{ assistants: number }>("correct/learn", fields)).assistants;
  }

  addAlias(turn_id: string, entity_id: string, alias: string): Promise<void> {
    return this.ask("correct/alias", { turn_id, entity_id, alias });
  }

  /** Adds a case to the house's own file. Without a meaning, nothing is to change. */
  addCase(turn_id: string, meant: Meant | null): Promise<{ case: string; file: string }> {
    return this.ask("correct/case", { turn_id, meant });
  }

  async agents(assistant: string): Promise<Agent[]> {
    return (await this.ask<{ agents: Agent[] }>("agents", { assistant })).agents;
  }

  policies(): Promise<Policies> {
    return this.ask("policies");
  }

  reloadPolicies(): Promise<Policies> {
    return this.ask("policies/reload");
  }

  /** Returns what is wrong with a text for the file. `revision` tells which file it was made of. */
  checkPolicies(text: string, revision: string): Promise<PoliciesChecked> {
    return this.ask("policies/check", { text, revision });
  }

  savePolicies(text: string, revision: string): Promise<Policies> {
    return this.ask("policies/save", { text, revision });
  }

  async tryPolicies(call: PolicyCall): Promise<Verdict[]> {
    return (await this.ask<{ verdicts: Verdict[] }>("policies/try", { ...call })).verdicts;
  }

  async health(): Promise<ConnectionHealth[]> {
    return (await this.ask<{ connections: ConnectionHealth[] }>("health")).connections;
  }

  /** Returns what is to be done later, told in a language; the next one first. */
  async planned(language: string): Promise<Planned[]> {
    return (await this.ask<{ planned: Planned[] }>("planned", { language })).planned;
  }

  /** Returns whether it still waited. */
  async cancelPlanned(assistant: string, planned_id: string): Promise<boolean> {
    return (await this.ask<{ canceled: boolean }>("planned/cancel", { assistant, planned_id }))
      .canceled;
  }

  evaluation(assistant: string, path: string): Promise<Evaluation> {
    return this.ask("evaluation", { assistant, path });
  }

  runEvaluation(
    assistant: string,
    path: string,
    callback: (event: EvaluationEvent) => void,
  ): Promise<Unsubscribe> {
    return this.watch("evaluation/run", { assistant, path }, callback);
  }

  async learned(): Promise<Lesson[]> {
    return (await this.act<{ learned: Lesson[] }>("learned")).learned;
  }

  async forgetLearned(assistant?: string, text?: string): Promise<number> {
    const data = { ...(assistant ? { assistant } : {}), ...(text ? { text } : {}) };
    return (await this.act<{ forgotten: number }>("forget_learned", data)).forgotten;
  }

  async habits(): Promise<Habit[]> {
    return (await this.act<{ habits: Habit[] }>("habits")).habits;
  }

  async clearHabits(): Promise<void> {
    await this.act("clear_habits");
  }

  /** Returns the people who may sign in, without Home Assistant's own users. */
  async users(): Promise<User[]> {
    const users = await this.hass().callWS<User[]>({ type: "config/auth/list" });
    return users.filter((user) => !user.system_generated && user.is_active !== false);
  }

  private ask<T>(command: string, fields: Record<string, unknown> = {}): Promise<T> {
    return this.hass().callWS<T>({ type: PANEL + command, ...fields });
  }

  private watch<T>(
    command: string,
    fields: Record<string, unknown>,
    callback: (event: T) => void,
  ): Promise<Unsubscribe> {
    return this.hass().connection.subscribeMessage<T>(
      callback,
      { type: PANEL + command, ...fields },
      { resubscribe: false },
    );
  }

  private async act<T>(service: string, service_data: Record<string, unknown> = {}): Promise<T> {
    const { response } = await this.hass().callWS<{ response: T }>({
      type: "call_service",
      domain: "bellboard",
      service,
      service_data,
      return_response: true,
    });
    return response;
  }
}
