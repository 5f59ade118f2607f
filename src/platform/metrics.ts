/** Figures for `/metrics` (decisions §11): requests by method and status, their time, the process itself. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface RequestMetrics {
  count(method: string, status: number, durationMs: number): void;
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** Each label value is a series that stays, and clients may make methods up. */
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]);

export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry();
  const requests = new Counter({
    name: "kurant_http_requests_total",
    help: "Answered requests",
    labelNames: ["method", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "kurant_http_request_duration_seconds",
    help: "Time from the first byte of a request to its answer",
    labelNames: ["method"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers: [registry],
    collect() {
      this.set(Deno.memoryUsage().rss);
    },
  });
  return {
    count(sentMethod, status, durationMs) {
      const method = METHODS.has(sentMethod) ? sentMethod : "other";
      requests.inc({ method, status: String(status) });
      duration.observe({ method }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}
