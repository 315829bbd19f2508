import { useComputedColorScheme } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ChartModel } from "../chart-model.ts";
import { plotData, plotOptions } from "./plot-options.ts";
import { readPlotTheme } from "./plot-theme.ts";
import classes from "./plot.module.css";

interface PlotProps {
  chart: ChartModel;
  size: "large" | "small";
}

function useElementSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (element === null) return undefined;
    const measure = () => {
      setWidth(element.clientWidth);
      setHeight(element.clientHeight);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width, height };
}

function Canvas({ chart, size }: PlotProps) {
  const { ref, width, height } = useElementSize();
  const { language } = useTranslation();
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (element === null || width === 0 || height === 0 || chart.edges.length < 2) return undefined;
    const view = { chart, theme: readPlotTheme(element), size, width, height, language };
    const plot = new uPlot(plotOptions(view), plotData(chart), element);
    return () => plot.destroy();
  }, [ref, chart, size, width, height, language]);
  return <div ref={ref} className={classes.plot} />;
}

export default function Plot(props: PlotProps) {
  return <Canvas key={useComputedColorScheme()} {...props} />;
}
