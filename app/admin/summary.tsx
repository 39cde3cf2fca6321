import { formatCount } from "#app/lib/numbers.ts";
import type { AdminSummaryView } from "#shared/admin.ts";
import "./summary.css";

/** Four totals next to the title; below the lists on phones (specification, section 2.9). */
export function Summary({ numbers }: { numbers: AdminSummaryView }) {
  const stats: [string, number][] = [
    ["Total de psicólogos", numbers.psychologists],
    ["Pendientes", numbers.pending],
    ["Verificados", numbers.verified],
    ["Total de consultas", numbers.consultations],
  ];
  return (
    <ul className="admin-summary" aria-label="Resumen">
      {stats.map(([label, value]) => (
        <li key={label}>
          <b>{formatCount(value)}</b> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
